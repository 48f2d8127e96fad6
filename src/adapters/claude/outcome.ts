import type { CallRequest, CallResult, Failure } from "../../contracts/index.ts";
import type { ProcessResult } from "../../lib/processes/index.ts";
import { stripColour } from "../../lib/text.ts";
import { readSilentEnding } from "../agent-program.ts";
import {
  endedAfterAnswer,
  findFault,
  nameOf,
  replyTooLarge,
  toolCalled,
  wrongModel,
} from "../answer.ts";
import { classifyProviderError } from "../provider-errors/classify.ts";
import { isSameModel } from "../same-model.ts";
import { costOf } from "../usage.ts";
import type { ClaudeFacts, ClaudeResult } from "./events.ts";

/** Everything known of one finished call. */
export interface FinishedClaude {
  readonly request: CallRequest;
  readonly facts: ClaudeFacts;
  readonly process: ProcessResult;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** True for the model asked, an alias (`opus`, `sonnet[1m]`) included. */
export function isAskedModel(asked: string, answered: string): boolean {
  const plain = asked.toLowerCase().replace(/\[\w+\]$/, "");
  if (isSameModel(plain, answered) || plain === "default") return true;
  return (
    /^[a-z]+$/.test(plain) &&
    answered
      .toLowerCase()
      .split(/[^a-z]+/)
      .includes(plain)
  );
}

/** What became of a call: the result line decides, not the exit code alone. */
export function readOutcome(call: FinishedClaude): CallResult {
  const { facts, request, process } = call;
  const { binding } = request.candidate;
  const failure = findFailure(call);
  const usage = facts.result?.usage ?? facts.usage;
  const costUsd = facts.result?.costUsd ?? (usage && binding.price && costOf(usage, binding.price));
  const spent = { ...(usage && { usage }), ...(costUsd !== undefined && { costUsd }) };
  const said = stripColour(process.stderr).trim();
  const notes = [
    ...(said === "" ? [] : [`claude said on stderr: ${said.slice(-2000)}`]),
    ...process.leftBehind.map(
      (command) => `claude left a process running; kit ended it: ${command}`,
    ),
  ];
  const rest = { ...spent, ...(notes.length > 0 && { notes }) };
  if (failure === undefined)
    return {
      ok: true,
      text: facts.text === "" ? (facts.result?.text ?? "") : facts.text,
      servedBy: `${binding.provider}/${facts.model ?? binding.model}`,
      ...rest,
    };
  const resetAt = failure.kind === "usage_limit" ? failure.resetAt : undefined;
  return {
    ok: false,
    failure,
    ...rest,
    ...(resetAt !== undefined && { resetAt }),
    ...(facts.text !== "" && { partialText: facts.text }),
  };
}

function findFailure(call: FinishedClaude): Failure | undefined {
  const { facts, request, process, now } = call;
  const { binding } = request.candidate;
  const who = nameOf(binding);
  const { result, stopReason } = facts;
  if (process.ended.by === "overflow" || facts.replyBytes > request.maxReplyBytes)
    return replyTooLarge(request.maxReplyBytes);
  if (facts.model !== undefined && !isAskedModel(binding.model, facts.model))
    return wrongModel(binding, `${binding.provider}/${facts.model}`);
  if (facts.tool !== undefined) return toolCalled(facts.tool);
  if (stopReason === "max_tokens") return judge(facts, "length", request);
  if (stopReason === "refusal") return { kind: "refused", message: `${who} refused by policy` };
  if (facts.spent !== undefined) return usageLimit(facts.spent, who);
  if (result?.isError === true) return readError(facts, result, who, now);
  if (result === undefined || !endedAfterAnswer(process))
    return readSilentEnding("claude", request, process, facts.replyBytes, now);
  const reason = stopReason ?? result.stopReason ?? "";
  return judge(facts, /^(?:end_turn|stop_sequence)$/.test(reason) ? "stop" : reason, request);
}

function judge(facts: ClaudeFacts, stopReason: string, request: CallRequest): Failure | undefined {
  const text = facts.text === "" ? (facts.result?.text ?? "") : facts.text;
  return findFault({ ...facts, text, stopReason }, request.candidate.binding);
}

function usageLimit({ resetsAt }: { readonly resetsAt?: number }, who: string): Failure {
  const resetAt = resetsAt === undefined ? undefined : new Date(resetsAt * 1000).toISOString();
  return {
    kind: "usage_limit",
    message: `${who} has used up its limit`,
    ...(resetAt !== undefined && { resetAt }),
  };
}

/** Kinds that Claude Code's own words for an error mean, where there is no HTTP status. */
const errorWords: Readonly<Record<string, "auth" | "overloaded">> = {
  authentication_failed: "auth",
  oauth_org_not_allowed: "auth",
  server_error: "overloaded",
  overloaded: "overloaded",
};

function readError(facts: ClaudeFacts, result: ClaudeResult, who: string, now: number): Failure {
  const { status, errorType, text, terminalReason, apiError } = result;
  const detail = text.slice(0, 4000);
  if (terminalReason === "prompt_too_long")
    return { kind: "context_overflow", message: `${who} cannot hold a prompt this long`, detail };
  if (apiError === "max_output_tokens")
    return { kind: "truncated_reply", message: `${who} hit its output limit`, detail };
  if (result.stopReason === "refusal")
    return { kind: "refused", message: `${who} refused by policy`, detail };
  const said = text.replace(/^API Error: (?:Request rejected \(\d{3}\) · |\d{3} )?/, "");
  if (/^(?:Connection to the API was lost|Unable to connect to API)/.test(said))
    return { kind: "network", message: `${who}: ${said.slice(0, 200)}`, detail };
  const known = classifyProviderError(
    status === undefined
      ? said
      : `${status}: ${JSON.stringify({ type: errorType, message: said })}`,
    who,
    now,
  );
  const word = errorWords[facts.error ?? ""];
  if (known.kind !== "provider_unknown" || word === undefined) return signIn(known);
  return signIn({ kind: word, message: `${who}: ${said.slice(0, 200)}`, detail });
}

function signIn(failure: Failure): Failure {
  if (failure.kind !== "auth") return failure;
  return { ...failure, message: `${failure.message}. Sign in: claude, then /login` };
}
