import { expect, test } from "vitest";
import type { ModelServer } from "../../fixtures/model-server/index.ts";
import type {
  Adapter,
  Binding,
  CallRequest,
  CallResult,
  FailureKind,
} from "../../src/contracts/index.ts";
import { behaviours } from "./behaviours.ts";
import { callOf } from "./support.ts";

/** One behaviour every adapter has, shown by one model of `scenarios/failures.yaml`. */
export interface ConformanceRow {
  readonly title: string;
  readonly model: string;
  readonly becomes: "ok" | FailureKind;
  readonly request?: Parameters<typeof callOf>[1];
  /** More that must hold of the result. */
  readonly and?: Record<string, unknown>;
  /** A property the failure must not have. */
  readonly failureLacks?: string;
  /** Requests the server may see; default 1: an adapter never asks twice by itself. */
  readonly requests?: number;
}

/** An adapter that knows the models of `scenarios/failures.yaml`, and how a binding names them. */
export interface ConformanceSetup {
  readonly adapter: Adapter;
  readonly server: ModelServer;
  readonly binding?: Partial<Binding>;
}

const impatient: Partial<CallRequest> = { idleTimeoutMs: 2500 };

export const conformance: readonly ConformanceRow[] = [
  {
    title: "a reply is its text, usage and cost",
    model: "ok",
    request: { binding: { price: { input: 1, output: 2 } } },
    becomes: "ok",
    and: {
      text: "FIXED REPLY",
      costUsd: 0.000017,
      usage: expect.objectContaining({ input: 11, output: 3, total: 14 }),
      servedBy: "fake/ok",
    },
  },
  {
    title: "the cost without a price is unknown",
    model: "ok-unpriced",
    becomes: "ok",
    and: { costUsd: undefined },
  },
  {
    title: "a binding's price gives the cost where nothing else does",
    model: "ok-unpriced",
    request: { binding: { price: { input: 2, output: 10 } } },
    becomes: "ok",
    and: { costUsd: (11 * 2 + 3 * 10) / 1e6 },
  },
  {
    title: "cached tokens have their own price",
    model: "ok-cached",
    request: { binding: { price: { input: 1, output: 2, cacheRead: 0.1 } } },
    becomes: "ok",
    and: { costUsd: (100 + 3 * 2 + 900 * 0.1) / 1e6 },
  },
  {
    title: "reasoning is no part of the text",
    model: "ok-reasoning",
    becomes: "ok",
    and: { text: "FINAL ANSWER" },
  },
  {
    title: "no character of a reply is lost between two chunks",
    model: "ok-unicode",
    becomes: "ok",
    and: { text: "// — 😀 あ \u2028 end" },
  },
  {
    title: "usage that no server sent is unknown",
    model: "usage-none",
    becomes: "ok",
    and: { usage: undefined, costUsd: undefined },
  },
  { title: "the dated name of the model asked is that model", model: "dated-name", becomes: "ok" },
  {
    title: "an error without a known reason is unknown",
    model: "bad-request",
    becomes: "provider_unknown",
  },
  { title: "401 is signed out", model: "unauthorized", becomes: "auth" },
  {
    title: "402 is a spent account",
    model: "payment",
    becomes: "usage_limit",
    and: { resetAt: undefined },
  },
  { title: "403 is not allowed", model: "forbidden", becomes: "auth" },
  { title: "404 is an unknown model", model: "not-found", becomes: "model_not_found" },
  { title: "413 is too long a prompt", model: "too-large", becomes: "context_overflow" },
  {
    title: "429 is a short limit, with the wait its message says",
    model: "rate-limit",
    becomes: "rate_limit",
    and: { failure: expect.objectContaining({ retryAfterMs: 20_000 }) },
  },
  {
    title: "a wait that only a header tells is unknown where the program drops it",
    model: "rate-limit-hours",
    becomes: "rate_limit",
    failureLacks: "retryAfterMs",
  },
  { title: "insufficient_quota is a spent account", model: "quota", becomes: "usage_limit" },
  { title: "usage_limit_reached is a spent window", model: "usage-limit", becomes: "usage_limit" },
  {
    title: "a limit of days is a spent window until then",
    model: "usage-limit-days",
    becomes: "usage_limit",
    and: { resetAt: expect.stringMatching(/^20\d\d-/) },
  },
  { title: "500 is overloaded", model: "server-error", becomes: "overloaded" },
  { title: "500 without a body is overloaded", model: "no-body", becomes: "overloaded" },
  { title: "503 is overloaded", model: "unavailable", becomes: "overloaded" },
  { title: "529 is overloaded", model: "overloaded", becomes: "overloaded" },
  {
    title: "a prompt over the window is an overflow",
    model: "overflow",
    becomes: "context_overflow",
  },
  {
    title: "a prompt over the window that the server took silently is an overflow",
    model: "overflow-silent",
    request: { binding: { contextWindow: 128_000 } },
    becomes: "context_overflow",
  },
  {
    title: "a reply for which the prompt left no room is an overflow",
    model: "truncated-empty",
    becomes: "context_overflow",
  },
  {
    title: "a connection dropped before an answer is the network",
    model: "drop-before",
    becomes: "network",
  },
  {
    title: "a connection dropped in the middle is the network",
    model: "drop-mid",
    becomes: "network",
    and: { partialText: "HALF A REPL" },
  },
  {
    title: "a stream that ends without its end is the network",
    model: "clean-end",
    becomes: "network",
  },
  {
    title: "an error inside the stream is that error",
    model: "error-in-stream",
    becomes: "overloaded",
  },
  { title: "a garbled stream is the network", model: "malformed", becomes: "network" },
  { title: "a web page in place of a stream is the network", model: "html", becomes: "network" },
  { title: "a stream of nothing is the network", model: "done-only", becomes: "network" },
  {
    title: "a network error that the provider reports is the network",
    model: "provider-network-error",
    becomes: "network",
  },
  { title: "a filtered reply is refused", model: "filtered", becomes: "refused" },
  {
    title: "a reply over the output limit is truncated",
    model: "truncated",
    becomes: "truncated_reply",
    and: { partialText: "HALF A REPL" },
  },
  {
    title: "a reply at the model's own output limit is truncated",
    model: "truncated-full",
    becomes: "truncated_reply",
  },
  { title: "no text is an empty reply", model: "empty", becomes: "empty_reply" },
  { title: "blanks are an empty reply", model: "blank", becomes: "empty_reply" },
  { title: "reasoning alone is an empty reply", model: "reasoning-only", becomes: "empty_reply" },
  {
    title: "a thinking block alone is an empty reply",
    model: "think-tags-only",
    becomes: "empty_reply",
  },
  { title: "an empty fence is an empty reply", model: "fence-only", becomes: "empty_reply" },
  // Left alone pi asks again some hundred times a second; on a busy machine a few are under way
  // before its first tool call is seen and its end has come.
  {
    title: "a tool call is no reply, and is not answered",
    model: "tool",
    becomes: "empty_reply",
    requests: 10,
  },
  {
    title: "another model's answer is not taken",
    model: "wrong-name",
    becomes: "wrong_model",
    and: {
      failure: expect.objectContaining({ asked: "fake/wrong-name", answered: "fake/other-model" }),
    },
  },
  {
    title: "a reply of 1 MB arrives whole",
    model: "ok-1mb",
    becomes: "ok",
    and: { text: "0123456789abcde\n".repeat(65_536) },
  },
  { title: "a reply of 40 MB is too large", model: "huge", becomes: "reply_too_large" },
  {
    title: "a server that never answers is ended by the idle limit",
    model: "hang-before",
    request: impatient,
    becomes: "timeout",
    and: {
      failure: expect.objectContaining({
        message: expect.stringContaining("time-out after 2.5 s of silence, 0 bytes") as string,
      }),
    },
  },
  {
    title: "a server that stops in the middle is ended by the idle limit",
    model: "hang-mid",
    request: impatient,
    becomes: "timeout",
    and: {
      failure: expect.objectContaining({
        message: expect.stringContaining("time-out after 2.5 s of silence, 11 bytes") as string,
      }),
    },
  },
];

/** What an adapter is known not to see, or to do of itself. */
export interface Deviations {
  /** Model → what it becomes through this adapter. */
  readonly except?: Readonly<Record<string, ConformanceRow["becomes"]>>;
  /** Requests that its program may make for one call; default 1. */
  readonly requests?: number;
}

/**
 * Runs rows against an adapter. `setup` starts the model server of `scenarios/failures.yaml` and
 * an adapter that knows its models.
 */
export function testConformance(
  rows: readonly ConformanceRow[],
  setup: () => Promise<ConformanceSetup>,
  { except = {}, requests = 1 }: Deviations = {},
): void {
  test.each(rows)("$title ($model)", async (row) => {
    const { adapter, server, binding } = await setup();
    const changes = { ...row.request, binding: { ...row.request?.binding, ...binding } };

    const result = await adapter.call(callOf(`fake/${row.model}`, changes));

    const known = except[row.model];
    const expected =
      known === undefined ? { becomes: row.becomes, ...row.and } : { becomes: known };
    expect(shownBy(result, Object.keys(expected))).toEqual(expected);
    expect(result.ok ? {} : result.failure).not.toHaveProperty(row.failureLacks ?? "none");
    expect(server.requests.length).toBeLessThanOrEqual(Math.max(row.requests ?? 1, requests));
  });
}

/** Shows an adapter's behaviours that take more than one reply. */
export function testBehaviours(setup: () => Promise<ConformanceSetup>): void {
  test.each(behaviours)("$title", async ({ show }) => show(await setup()));
}

/** What a result became, and those of its properties that a row speaks of; absent is undefined. */
function shownBy(result: CallResult, names: readonly string[]): Record<string, unknown> {
  const properties = new Map<string, unknown>(Object.entries(result));
  properties.set("becomes", result.ok ? "ok" : result.failure.kind);
  return Object.fromEntries(names.map((name) => [name, properties.get(name)]));
}
