import type { Failure, FailureKind } from "../../contracts/index.ts";
import { nameOf } from "../answer.ts";
import type { Binding } from "../../contracts/index.ts";
import { classifyProviderError } from "../provider-errors/classify.ts";

/** What Codex says in its own words, where the provider's are gone. */
interface CodexErrorRow {
  readonly kind: Extract<
    FailureKind,
    | "context_overflow"
    | "usage_limit"
    | "truncated_reply"
    | "refused"
    | "network"
    | "timeout"
    | "overloaded"
    | "model_not_found"
  >;
  readonly text: RegExp;
  /** The real text; all seen with 0.171.0. */
  readonly example: string;
  readonly message: string;
}

export const codexErrorTable: readonly CodexErrorRow[] = [
  {
    kind: "context_overflow",
    text: /ran out of room in the model's context window/,
    example:
      "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
    message: "cannot hold a prompt this long",
  },
  {
    kind: "model_not_found",
    text: /^The model .{1,200} does not exist or you do not have access to it/,
    example: "The model `gpt-9` does not exist or you do not have access to it.",
    message: "is unknown to the provider",
  },
  {
    kind: "usage_limit",
    text: /^Quota exceeded\. Check your plan/,
    example: "Quota exceeded. Check your plan and billing details.",
    message: "has used up its limit",
  },
  {
    kind: "overloaded",
    text: /currently experiencing high demand/,
    example: "We’re currently experiencing high demand, which may cause temporary errors.",
    message: "is overloaded",
  },
  {
    kind: "usage_limit",
    text: /hit your usage limit/,
    example:
      "You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), visit https://chatgpt.com/settings/usage to purchase more credits or try again later.",
    message: "has used up its limit",
  },
  {
    kind: "truncated_reply",
    text: /Incomplete response returned, reason: max_output_tokens/,
    example: "Incomplete response returned, reason: max_output_tokens",
    message: "hit its output limit",
  },
  {
    kind: "refused",
    text: /Incomplete response returned, reason: content_filter/,
    example:
      "stream disconnected before completion: Incomplete response returned, reason: content_filter",
    message: "refused by policy",
  },
  {
    kind: "timeout",
    text: /idle timeout waiting for SSE/,
    example: "stream disconnected before completion: idle timeout waiting for SSE",
    message: "was silent for too long",
  },
  {
    kind: "network",
    text: /^stream disconnected before completion: (?:stream closed before|error sending request|Transport error|network error)/,
    example: "stream disconnected before completion: stream closed before response.completed",
    message: "lost the connection",
  },
];

/**
 * What an error of a turn means: Codex's own words first, then the provider's, which it passes on
 * as `unexpected status 401 Unauthorized: MESSAGE, url: …`, as `exceeded retry limit, last status:
 * 429 Too Many Requests`, or behind `stream disconnected before completion: `.
 */
export function readCodexError(text: string, binding: Binding, now: number): Failure {
  const who = nameOf(binding);
  const row = codexErrorTable.find((candidate) => candidate.text.test(text));
  if (row !== undefined)
    return { kind: row.kind, message: `${who} ${row.message}`, detail: text.slice(0, 4000) };
  const failure = classifyProviderError(providersWords(text), who, now);
  if (failure.kind !== "auth") return failure;
  return { ...failure, message: `${failure.message}. Sign in: codex login` };
}

function providersWords(text: string): string {
  const status =
    /^unexpected status (?<code>\d{3}) (?<name>[A-Za-z -]*): (?<said>[\s\S]*?)(?:, url: \S+.*)?$/.exec(
      text,
    )?.groups ??
    /^exceeded retry limit, last status: (?<code>\d{3}) ?(?<name>[^,]*)/.exec(text)?.groups;
  if (status === undefined) return text.replace(/^stream disconnected before completion: /, "");
  const said =
    status.said === undefined || status.said === "Unknown error" ? status.name : status.said;
  return `${status.code}: ${said ?? ""}`;
}
