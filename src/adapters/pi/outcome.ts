import type { Binding, CallResult, Failure, Usage } from "../../contracts/index.ts";
import { stripColour } from "../../lib/text.ts";
import type { ProcessResult } from "../../lib/processes/index.ts";
import {
  endedByLimit,
  findFault,
  isEndedByKit,
  nameOf,
  replyTooLarge,
  toolCalled,
  wrongModel,
} from "../answer.ts";
import { classifyProviderError } from "../provider-errors/classify.ts";
import { withoutLineColours } from "../reply-text.ts";
import { isSameModel } from "../same-model.ts";
import { costOf } from "../usage.ts";
import type { PiFeatures } from "./arguments.ts";
import { isSameName, type AssistantMessage, type ModelName, type StreamFacts } from "./events.ts";
import { readStartupError } from "./startup-errors.ts";

/** Everything known of one finished call. */
export interface FinishedCall {
  readonly facts: StreamFacts;
  readonly process: Pick<ProcessResult, "ended" | "stderr" | "leftBehind">;
  readonly binding: Binding;
  readonly features: PiFeatures;
  readonly maxReplyBytes: number;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * What became of a call. The exit code alone never decides: in JSON mode pi exits 0 for every
 * failure of a provider. A reply counts when the last assistant message ended with `stop` and
 * says something, pi said that no more comes, and it exited 0; or, one exception, when all this
 * holds but pi then did not end by itself and kit ended it.
 */
export function readOutcome(call: FinishedCall): CallResult {
  const { facts, binding } = call;
  const failure = findFailure(call);
  const spent = whatItCost(facts, binding);
  const notes = notesOf(call, failure);
  const last = facts.messages.at(-1);
  if (failure === undefined && last !== undefined)
    return {
      ok: true,
      text: replyText(last),
      ...spent,
      servedBy: `${last.provider}/${last.responseModel ?? last.model}`,
      ...(notes.length === 0 ? {} : { notes }),
    };
  const resetAt = failure?.kind === "usage_limit" ? failure.resetAt : undefined;
  return {
    ok: false,
    failure: failure ?? { kind: "provider_unknown", message: "pi gave no answer" },
    ...spent,
    ...(resetAt === undefined ? {} : { resetAt }),
    ...(last === undefined || last.text === "" ? {} : { partialText: last.text }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

/** What the pipeline reads of an answer. */
export function replyText({ text }: AssistantMessage): string {
  return withoutLineColours(text);
}

/** The first thing that speaks against the reply; undefined when nothing does. */
function findFailure(call: FinishedCall): Failure | undefined {
  const { facts, process } = call;
  const last = facts.messages.at(-1);
  const { ended } = process;
  if (ended.by === "spawn_error")
    return {
      kind: "environment",
      message: `pi could not be started: ${ended.message}`,
      detail: ended.code,
      mend: "Check the program: pi --version",
    };
  if (facts.stopped === "too_large" || ended.by === "overflow")
    return replyTooLarge(call.maxReplyBytes);
  const wrong = findWrongModel(call);
  if (wrong) return wrong;
  if (last?.stopReason === "toolUse") return toolCalled(last.toolName ?? "");
  if (last?.stopReason === "error") return readError(last, call);
  const byItself = ended.by === "exit" && ended.code === 0;
  if (!byItself && !lingered(call)) return readEnding(call);
  if (last === undefined) return readNoRequest(call);
  if (!facts.settled)
    return { kind: "provider_unknown", message: "pi ended before it was done", ...stderrOf(call) };
  return findFault(last, call.binding);
}

/**
 * pi had said its last word and did not exit: a limit, or who stopped kit, then ended nothing but the
 * waiting, and the answer is paid.
 */
function lingered({ facts, process }: FinishedCall): boolean {
  return facts.settled && (facts.stopped === "lingering" || isEndedByKit(process.ended));
}

/** pi matches model names loosely, and a server may answer with another model than asked. */
function findWrongModel({ facts, binding }: FinishedCall): Failure | undefined {
  const last: (ModelName & Pick<AssistantMessage, "responseModel">) | undefined =
    facts.messages.at(-1) ?? facts.asked;
  if (last === undefined) return undefined;
  const { responseModel } = last;
  const same = responseModel === undefined || isSameModel(binding.model, responseModel);
  if (isSameName(last, binding) && same) return undefined;
  return wrongModel(binding, `${last.provider}/${responseModel ?? last.model}`);
}

const policyStops = new Set([
  "content_filter",
  "refusal",
  "sensitive",
  "SAFETY",
  "PROHIBITED_CONTENT",
]);

function readError(last: AssistantMessage, { binding, now }: FinishedCall): Failure {
  const who = nameOf(binding);
  const said = last.errorMessage ?? "";
  if (policyStops.has(last.rawStopReason ?? ""))
    return { kind: "refused", message: `${who} refused by policy`, detail: said };
  const failure = classifyProviderError(said, who, now);
  if (failure.kind !== "auth") return failure;
  return {
    ...failure,
    message: `${failure.message}. Sign in: start pi and use /login, or renew its key`,
  };
}

/** pi did not end by itself with exit 0. A limit of kit's own is named, not the signal it sent. */
function readEnding(call: FinishedCall): Failure {
  const { ended } = call.process;
  const received = `${call.facts.replyBytes} bytes of reply received`;
  if (ended.by === "deadline" || ended.by === "idle" || ended.by === "abort")
    return endedByLimit(ended.by, call, call.facts.replyBytes);
  const signal =
    ended.by === "signal"
      ? ended.signal
      : ended.by === "exit"
        ? signalOfExit(ended.code)
        : undefined;
  if (signal !== undefined)
    return {
      kind: "provider_unknown",
      message: `pi was killed by ${signal} from outside, ${received}`,
    };
  if (call.facts.asked === undefined) return readNoRequest(call);
  return {
    kind: "provider_unknown",
    message: `pi failed while it answered (exit ${ended.by === "exit" ? ended.code : "?"}, ${received})`,
    ...stderrOf(call),
  };
}

/** pi itself exits 128 + n when it is told to end. */
function signalOfExit(code: number): string | undefined {
  return { 129: "SIGHUP", 130: "SIGINT", 137: "SIGKILL", 143: "SIGTERM" }[code];
}

/** No model answered, well or badly: what pi said on stderr is all there is. */
function readNoRequest(call: FinishedCall): Failure {
  const { binding, now, process } = call;
  const who = nameOf(binding);
  const said = stripColour(process.stderr);
  const startup = readStartupError(said, who);
  if (startup) return startup;
  const lines = said.split("\n").filter((line) => line.trim() !== "");
  for (const line of lines) {
    const failure = classifyProviderError(line, who, now);
    if (failure.kind !== "provider_unknown") return { ...failure, detail: said.slice(0, 4000) };
  }
  const hint = binding.extensions ? "; an extension may have taken the prompt" : "";
  return {
    kind: "provider_unknown",
    message: `pi called no model for ${who}${hint}${lines[0] === undefined ? "" : `: ${lines[0].slice(0, 200)}`}`,
    ...stderrOf(call),
  };
}

function stderrOf({ process }: FinishedCall): { detail?: string } {
  const text = stripColour(process.stderr).trim();
  return text === "" ? {} : { detail: text.slice(-4000) };
}

/** Usage of all requests of the call together; cost by pi's price, else by the binding's. */
function whatItCost(
  { messages }: StreamFacts,
  binding: Binding,
): { usage?: Usage; costUsd?: number } {
  const usages = messages.flatMap(({ usage }) => (usage === undefined ? [] : [usage]));
  if (usages.length === 0) return {};
  const sum = (key: keyof Usage): number =>
    usages.reduce((total, one) => total + (one[key] ?? 0), 0);
  const usage = {
    input: sum("input"),
    output: sum("output"),
    cacheRead: sum("cacheRead"),
    cacheWrite: sum("cacheWrite"),
    total: sum("total"),
  };
  // pi reports zero for a model without a price: that is unknown, not free.
  const byPi = messages.reduce((total, { costUsd }) => total + costUsd, 0);
  const cost = byPi > 0 ? byPi : binding.price && costOf(usage, binding.price);
  return cost === undefined ? { usage } : { usage, costUsd: cost };
}

/** What was irregular about a call, for the record only: nothing here ever decides. */
function notesOf(call: FinishedCall, failure: Failure | undefined): string[] {
  const { facts, process, features } = call;
  const last = facts.messages.at(-1);
  const said = stripColour(process.stderr).trim();
  const stderr = failure?.detail?.includes(said.slice(0, 200)) === true ? "" : said;
  return [
    ...facts.noise.map((line) => `pi printed: ${line}`),
    ...(stderr === "" ? [] : [`pi said on stderr: ${stderr.slice(-2000)}`]),
    ...(lingered(call) ? ["pi did not end after its last word; kit ended it"] : []),
    ...process.leftBehind.map((command) => `pi left a process running; kit ended it: ${command}`),
    ...(last?.stopReason === "stop" && last.usage === undefined && !features.seesCutStreams
      ? [
          "this pi cannot tell a cut stream from a whole one, and no usage came: the reply may be cut",
        ]
      : []),
    ...(last !== undefined && replyText(last) !== last.text
      ? ["colour codes around lines of the reply were removed"]
      : []),
  ];
}
