import type { Adapter, CallRequest, CallResult, Failure } from "../../../src/index.ts";

/** Calls the lab's own server: one JSON request, one JSON answer. */
export function createLabAdapter(url: string): Adapter {
  return {
    name: "lab",
    check: () => Promise.resolve({ program: url, version: "1" }),
    models: () => Promise.resolve([{ provider: "lab", model: "lab-1" }]),
    async call(request) {
      const deadline = AbortSignal.timeout(Math.min(request.timeoutMs, request.idleTimeoutMs));
      try {
        const response = await fetch(`${url}/chat/completions`, {
          method: "POST",
          redirect: "error",
          signal: AbortSignal.any([request.signal, deadline]),
          body: JSON.stringify({
            model: request.candidate.binding.model,
            messages: [
              { role: "system", content: request.systemPrompt },
              { role: "user", content: request.prompt },
            ],
          }),
        });
        return read(response.status, await response.text(), request);
      } catch (error) {
        if (request.signal.aborted) return failed({ kind: "interrupted", message: "stopped" });
        if (deadline.aborted) return failed({ kind: "timeout", message: "no answer in time" });
        return failed({ kind: "network", message: String(error) });
      }
    },
  };
}

/** Statuses first; `detail` is the server's own text. Never read a failure from a reply's words. */
function read(status: number, body: string, { candidate, maxReplyBytes }: CallRequest): CallResult {
  if (status === 429) return failed({ kind: "rate_limit", message: "slow down", detail: body });
  if (status === 401) return failed({ kind: "auth", message: "signed out", detail: body });
  if (status >= 500) return failed({ kind: "overloaded", message: `HTTP ${status}`, detail: body });
  if (status !== 200) return failed({ kind: "provider_unknown", message: body.slice(0, 200) });
  const { choices, usage } = JSON.parse(body) as Answer;
  const [choice] = choices;
  const text = choice?.message.content ?? "";
  if (choice?.finish_reason === "length")
    return failed({ kind: "truncated_reply", message: "cut at its output limit" });
  if (text.trim() === "") return failed({ kind: "empty_reply", message: "no text" });
  if (Buffer.byteLength(text) > maxReplyBytes)
    return failed({ kind: "reply_too_large", message: "too large" });
  const { prompt_tokens: input, completion_tokens: output } = usage;
  return { ok: true, text, usage: { input, output }, servedBy: `lab/${candidate.binding.model}` };
}

interface Answer {
  readonly choices: readonly { message: { content: string }; finish_reason: string }[];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

const failed = (failure: Failure): CallResult => ({ ok: false, failure });
