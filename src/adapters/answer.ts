import type {
  Binding,
  CallRequest,
  CallResult,
  Failure,
  FailureOf,
  Usage,
} from "../contracts/index.ts";
import type { ProcessResult } from "../lib/processes/index.ts";
import { saysNothing } from "./reply-text.ts";

/** What a model answered, whoever carried it. */
export interface Answer {
  readonly text: string;
  /** Reasoning came, which is no part of the text. */
  readonly hasReasoning: boolean;
  /** `stop`, `length`, or the word that the provider used. */
  readonly stopReason: string;
  readonly usage?: Usage | undefined;
}

/** How messages name a binding's model. */
export function nameOf({ provider, model }: Pick<Binding, "provider" | "model">): string {
  return `${provider}/${model}`;
}

/** The first thing that speaks against an answer that came to its end; undefined when nothing does. */
export function findFault(answer: Answer, binding: Binding): Failure | undefined {
  const { usage, stopReason, text, hasReasoning } = answer;
  const who = nameOf(binding);
  const prompt = (usage?.input ?? 0) + (usage?.cacheRead ?? 0);
  if (binding.contextWindow !== undefined && prompt > binding.contextWindow)
    return {
      kind: "context_overflow",
      message: `${who} was sent ${prompt} tokens, more than its window of ${binding.contextWindow}`,
    };
  if (stopReason === "length") {
    // pi 1.x leaves a prompt that fills the window one token of reply; some servers leave none.
    const noRoom = !hasReasoning && prompt > 0 && (usage?.output ?? 0) <= 1;
    return noRoom
      ? { kind: "context_overflow", message: `the prompt leaves ${who} no room for a reply` }
      : { kind: "truncated_reply", message: `${who} hit its output limit` };
  }
  if (stopReason !== "stop")
    return {
      kind: "provider_unknown",
      message: `${who} stopped for an unknown reason`,
      detail: stopReason,
    };
  if (!saysNothing(text)) return undefined;
  const what = hasReasoning ? "reasoning and no answer" : "an empty answer";
  return { kind: "empty_reply", message: `${who} gave ${what}` };
}

/** Another model answered, or was about to; `answered` is `provider/model`. */
export function wrongModel(binding: Binding, answered: string): FailureOf<"wrong_model"> {
  const asked = nameOf(binding);
  return {
    kind: "wrong_model",
    message: `${asked} was asked and ${answered} answered: bind the name that answers, or correct the provider`,
    asked,
    answered,
  };
}

/** A model called a tool although none is offered. */
export function toolCalled(tool: string): FailureOf<"empty_reply"> {
  return {
    kind: "empty_reply",
    message: `the model called the tool ${tool} although none is offered`,
  };
}

export function replyTooLarge(maxReplyBytes: number): FailureOf<"reply_too_large"> {
  const limit = Math.floor(maxReplyBytes / 1024 / 1024);
  return { kind: "reply_too_large", message: `the reply is over ${limit} MiB` };
}

/** A call that one of kit's own limits ended. */
export function endedByLimit(
  by: "deadline" | "idle" | "abort",
  limits: Pick<CallRequest, "timeoutMs" | "idleTimeoutMs">,
  replyBytes: number,
): Failure {
  const received = `${replyBytes} bytes of reply received`;
  if (by === "abort") return { kind: "interrupted", message: `the call was stopped, ${received}` };
  const limit =
    by === "deadline"
      ? `${limits.timeoutMs / 1000} s`
      : `${limits.idleTimeoutMs / 1000} s of silence`;
  return { kind: "timeout", message: `time-out after ${limit}, ${received}` };
}

/** Servers quote keys in their errors: the result without this one, for messages and records. */
export function withoutKey(result: CallResult, key: string | undefined): CallResult {
  if (result.ok || key === undefined || key.length < 8) return result;
  const hide = (text: string): string => text.replaceAll(key, "[redacted]");
  const { failure, notes } = result;
  return {
    ...result,
    failure: {
      ...failure,
      message: hide(failure.message),
      ...(failure.detail !== undefined && { detail: hide(failure.detail) }),
    },
    ...(notes !== undefined && { notes: notes.map(hide) }),
  };
}

/**
 * For a program that has said all it had to say: whether that counts. It is paid, also where a limit
 * of kit's or who stopped kit then ended the waiting for its exit.
 */
export function endedAfterAnswer({ ended }: Pick<ProcessResult, "ended">): boolean {
  return ended.by === "exit" ? ended.code === 0 : isEndedByKit(ended);
}

/** A limit of kit's, or who stopped kit, ended the program. */
export function isEndedByKit({ by }: ProcessResult["ended"]): boolean {
  return by === "deadline" || by === "idle" || by === "abort";
}
