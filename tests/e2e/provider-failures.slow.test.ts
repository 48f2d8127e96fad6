import { resolve } from "node:path";
import { describe, test } from "vitest";
import { parseScenario, readScenario, type Scenario } from "../../fixtures/model-server/index.ts";
import type { FailureKind, RecordedEvent } from "../../src/contracts/index.ts";
import { asked, coderRule, endsOf, eventsIn, machine, scenario } from "./support.ts";

/** What becomes of a run whose first coder is this model of `scenarios/failures.yaml`. */
interface Row {
  readonly model: string;
  readonly kind: FailureKind;
  readonly requests?: number;
  /** Milliseconds of each wait that kit announced. */
  readonly waits?: readonly number[];
  readonly contextWindow?: number;
  /** Properties of the failure that nobody told kit. */
  readonly unknown?: "retryAfterMs" | "resetAt";
}

/** Asked three times, 1 and 2 s apart. */
const retried = { requests: 3, waits: [1_000, 2_000] };
const askedTwice = { requests: 2 };

const rows: readonly Row[] = [
  { model: "bad-request", kind: "provider_unknown" },
  { model: "unauthorized", kind: "auth" },
  { model: "payment", kind: "usage_limit", unknown: "resetAt" },
  { model: "forbidden", kind: "auth" },
  { model: "not-found", kind: "model_not_found" },
  { model: "too-large", kind: "context_overflow" },
  // Its Retry-After of two hours stays in pi: kit waits its own ten seconds, once.
  {
    model: "rate-limit-hours",
    kind: "rate_limit",
    ...askedTwice,
    waits: [10_000],
    unknown: "retryAfterMs",
  },
  { model: "quota", kind: "usage_limit", unknown: "resetAt" },
  // Its body says when the window opens again, and pi hands that on.
  { model: "usage-limit", kind: "usage_limit" },
  { model: "server-error", kind: "overloaded", ...retried },
  { model: "no-body", kind: "overloaded", ...retried },
  { model: "unavailable", kind: "overloaded", ...retried },
  { model: "overloaded", kind: "overloaded", ...retried },
  { model: "overflow", kind: "context_overflow" },
  { model: "overflow-silent", kind: "context_overflow", contextWindow: 128_000 },
  { model: "drop-before", kind: "network", ...retried },
  { model: "drop-mid", kind: "network", ...retried },
  { model: "hang-before", kind: "timeout" },
  { model: "hang-mid", kind: "timeout" },
  { model: "clean-end", kind: "network", ...retried },
  { model: "error-in-stream", kind: "overloaded", ...retried },
  { model: "malformed", kind: "network", ...retried },
  { model: "html", kind: "network", ...retried },
  { model: "done-only", kind: "network", ...retried },
  { model: "filtered", kind: "refused" },
  { model: "truncated", kind: "truncated_reply", ...askedTwice },
  { model: "empty", kind: "empty_reply", ...askedTwice },
  { model: "reasoning-only", kind: "empty_reply", ...askedTwice },
  { model: "wrong-name", kind: "wrong_model" },
];

/** The models of failures.yaml, and one that repairs `crlfRepository`. */
function failuresAndRescue(): Scenario {
  const failures = readScenario(resolve("fixtures/model-server/scenarios/failures.yaml"));
  const rescue = parseScenario(scenario([coderRule("rescue/coder", "a + b")], ["rescue/coder"]));
  return {
    ...failures,
    models: { ...failures.models, ...rescue.models },
    placeholders: { ...failures.placeholders, ...rescue.placeholders },
    rules: [...failures.rules, ...rescue.rules],
  };
}

const impatient = "call: { idle_timeout: 2s }\n";

describe("a first coder whose provider fails", () => {
  test.concurrent.for(rows)(
    "with $model is $kind, never a success, and the second coder saves the run",
    async (row, { expect, onTestFinished }) => {
      const { root, run, quick, server } = await machine({
        scenario: failuresAndRescue(),
        bindings: {
          first: {
            model: `fake/${row.model}`,
            ...(row.contextWindow !== undefined && { context_window: row.contextWindow }),
          },
          second: "rescue/coder",
        },
        settings: impatient,
        atEnd: onTestFinished,
      });
      const { code, receipt } = await run(quick);
      expect({ code, ends: endsOf(receipt) }).toEqual({ code: 0, ends: [row.kind, "ok"] });
      expect(receipt).toMatchObject({ outcome: "success", escalated: true });
      const requests = asked(server).filter((model) => model === `fake/${row.model}`).length;
      expect(requests).toBe(row.requests ?? 1);
      expect(receipt.attempts[0]?.calls).toBe(row.requests ?? 1);
      const waits = eventsIn(root).filter(isWaiting);
      expect(waits.map(({ ms }) => ms)).toEqual(row.waits ?? []);
      if (row.unknown !== undefined)
        expect(receipt.attempts[0]?.failure).not.toHaveProperty(row.unknown);
    },
  );
});

describe("a run in which no model replies", () => {
  test.for([
    { what: "one signed out", models: ["fake/unauthorized", "fake/ok"], ends: ["auth"], skips: 1 },
    {
      what: "three that answer with errors",
      models: ["fake/not-found", "fake/bad-request", "fake/payment"],
      ends: ["model_not_found", "provider_unknown", "usage_limit"],
      skips: 0,
    },
    {
      what: "two that pi does not know",
      models: ["fake/never-heard-of", "nowhere/model"],
      ends: ["model_not_found", "model_not_found"],
      skips: 0,
    },
  ])("ends with 3: $what", async ({ models, ends, skips }, { expect }) => {
    const { run, quick } = await machine({
      scenario: failuresAndRescue(),
      bindings: Object.fromEntries(models.map((model, index) => [`coder-${index}`, model])),
    });
    const { code, receipt } = await run(quick);
    expect(code).toBe(3);
    expect(endsOf(receipt)).toEqual(ends);
    expect(receipt.skipped).toHaveLength(skips);
    expect(receipt.changedFiles).toEqual([]);
    expect(receipt.outcome).not.toBe("success");
  });
});

function isWaiting(event: RecordedEvent): event is Extract<RecordedEvent, { type: "waiting" }> {
  return event.type === "waiting";
}
