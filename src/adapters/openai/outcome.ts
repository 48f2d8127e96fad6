import type { Binding, CallRequest, CallResult, Failure } from "../../contracts/index.ts";
import { estimateTokens } from "../../lib/text.ts";
import {
  endedByLimit,
  findFault,
  nameOf,
  replyTooLarge,
  toolCalled,
  wrongModel,
} from "../answer.ts";
import { classifyProviderError } from "../provider-errors/classify.ts";
import { isSameModel } from "../same-model.ts";
import { costOf } from "../usage.ts";
import type { AnswerFacts } from "./answer-reader.ts";
import type { CompletionFacts } from "./completion.ts";
import type { HttpEnding, HttpHead } from "./http.ts";

/** Everything known of one finished request. */
export interface FinishedRequest extends AnswerFacts {
  readonly request: CallRequest;
  readonly ended: HttpEnding;
  /** The server was silent after the finish reason, and kit closed the connection. */
  readonly lingered: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Where the server is, for people. */
  readonly origin: string;
}

/**
 * What became of a request. A reply counts when its status was 200, a finish reason came, it says
 * something, and the model that answered is the one asked. A stream without a finish reason was
 * cut, also where a gateway put its own `[DONE]` behind it.
 */
export function readOutcome(call: FinishedRequest): CallResult {
  const { facts, request } = call;
  const { binding } = request.candidate;
  const failure = findFailure(call);
  const { usage, model } = facts;
  const costUsd = facts.costUsd ?? (usage && binding.price && costOf(usage, binding.price));
  const spent = { ...(usage && { usage }), ...(costUsd !== undefined && { costUsd }) };
  const notes = failure === undefined ? notesOf(call) : [];
  if (failure === undefined)
    return {
      ok: true,
      text: facts.text,
      ...spent,
      servedBy: `${binding.provider}/${model ?? binding.model}`,
      ...(notes.length > 0 && { notes }),
    };
  const resetAt = failure.kind === "usage_limit" ? failure.resetAt : undefined;
  return {
    ok: false,
    failure,
    ...spent,
    ...(resetAt !== undefined && { resetAt }),
    ...(facts.text !== "" && { partialText: facts.text }),
  };
}

/** Of a prompt this short the estimate says too little. */
const shortPromptTokens = 3000;

/** What was irregular about a reply, for the record only. */
function notesOf({ request, facts, lingered }: FinishedRequest): string[] {
  const sent = estimateTokens(request.systemPrompt) + estimateTokens(request.prompt);
  const read = (facts.usage?.input ?? sent) + (facts.usage?.cacheRead ?? 0);
  // Ollama cuts what its window does not hold, and counts what is left.
  const wasCut = sent > shortPromptTokens && read < 0.4 * sent;
  return [
    ...(lingered ? ["the server did not end its stream; kit closed it"] : []),
    ...(wasCut
      ? [
          `the server says that it read ${read} tokens of about ${sent}: its window may be smaller than the prompt`,
        ]
      : []),
  ];
}

/** The first thing that speaks against the reply; undefined when nothing does. */
function findFailure(call: FinishedRequest): Failure | undefined {
  const { facts, ended, head, request } = call;
  const { binding } = request.candidate;
  if (facts.replyBytes > request.maxReplyBytes || call.tooLarge)
    return replyTooLarge(request.maxReplyBytes);
  if (facts.model !== undefined && !isSameModel(binding.model, facts.model))
    return wrongModel(binding, `${binding.provider}/${facts.model}`);
  if (head !== undefined && head.status !== 200) return refusedBy(call, head);
  if (facts.error !== undefined) return classify(textOfError(facts.error), call);
  if (facts.tool !== undefined) return toolCalled(facts.tool);
  if (ended.by === "deadline" || ended.by === "idle" || ended.by === "abort")
    return facts.finishReason === undefined || ended.by === "abort"
      ? endedByLimit(ended.by, request, facts.replyBytes)
      : judge(facts, binding);
  if (facts.garbled !== undefined) return network(call, "a garbled stream", facts.garbled);
  if (ended.by === "error" && facts.finishReason === undefined)
    return network(call, whyLost(call, ended), ended.message);
  if (facts.finishReason === undefined)
    return network(call, facts.text === "" ? "no answer" : "an answer that was cut off", call.body);
  return judge(facts, binding);
}

/** Reasons by which providers say that their policy stopped the answer. */
const policyStops = new Set(["content_filter", "refusal", "safety", "prohibited_content"]);

/** Words for an answer that came to its end by itself. */
const plainStops = new Set(["stop", "eos", "end_turn", "stop_sequence"]);

function judge(facts: CompletionFacts, binding: Binding): Failure | undefined {
  const reason = (facts.finishReason ?? "").toLowerCase();
  const who = nameOf(binding);
  if (policyStops.has(reason) || (facts.refusal !== undefined && facts.text.trim() === ""))
    return {
      kind: "refused",
      message: `${who} refused by policy`,
      ...(facts.refusal !== undefined && { detail: facts.refusal.slice(0, 4000) }),
    };
  if (reason === "network_error")
    return {
      kind: "network",
      message: `${who} lost its own connection (finish reason network_error)`,
    };
  const stopReason = plainStops.has(reason) ? "stop" : reason === "max_tokens" ? "length" : reason;
  return findFault({ ...facts, stopReason }, binding);
}

/** A status other than 200: the error object with what the headers know of the wait. */
function refusedBy(call: FinishedRequest, head: HttpHead): Failure {
  const { status, headers } = head;
  if (status >= 300 && status < 400)
    return {
      kind: "provider_unknown",
      message: `${nameOf(call.request.candidate.binding)} answers with a redirect (HTTP ${status}): correct base_url; a key is sent to no other address`,
      detail: headers.location ?? "",
    };
  const body = call.body.trim();
  if (body === "") return classify(`${status} status code (no body)`, call, head);
  return classify(`${status}: ${innerError(body)}`, call, head);
}

/** The error object of a body as JSON text, or the body as it is. */
function innerError(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    const inner = (parsed as { error?: unknown } | null)?.error;
    return textOfError(inner ?? parsed);
  } catch {
    return body.slice(0, 4000);
  }
}

function textOfError(error: unknown): string {
  return typeof error === "string" ? error : JSON.stringify(error).slice(0, 8000);
}

function classify(text: string, call: FinishedRequest, head?: HttpHead): Failure {
  const report = { text, ...(head && { status: head.status, headers: head.headers }) };
  const who = nameOf(call.request.candidate.binding);
  const failure = classifyProviderError(report, who, call.now);
  return failure.kind === "auth"
    ? { ...failure, message: `${failure.message}. ${keyHint(call.request.candidate.binding)}` }
    : failure;
}

function keyHint({ apiKeyEnv }: Binding): string {
  return apiKeyEnv === undefined
    ? "Name the variable that holds the key: api_key_env in its binding"
    : `Renew the key in ${apiKeyEnv}`;
}

function network(call: FinishedRequest, what: string, detail: string): Failure {
  const { replyBytes } = call.facts;
  return {
    kind: "network",
    message: `${nameOf(call.request.candidate.binding)} at ${call.origin}: ${what}, ${replyBytes} bytes of reply received`,
    ...(detail !== "" && { detail: detail.slice(0, 4000) }),
  };
}

function whyLost(call: FinishedRequest, { code }: Extract<HttpEnding, { by: "error" }>): string {
  if (code === "ECONNREFUSED") return "nothing listens there";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "the name of the host is unknown";
  if (/CERT|SELF_SIGNED|UNABLE_TO_/.test(code)) return `its certificate is not trusted (${code})`;
  return call.head === undefined
    ? `the connection was lost (${code})`
    : "the connection was lost in the middle";
}
