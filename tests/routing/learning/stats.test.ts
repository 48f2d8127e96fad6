import { expect, test } from "vitest";
import { statsOf } from "../../../src/routing/index.ts";
import { wilson } from "../../../src/routing/learning/stats.ts";
import { attempt } from "./support.ts";

test.each([
  // Newcombe, Statistics in Medicine 17 (1998), table I, method 3 (without continuity correction).
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])("Wilson's interval of %i of %i is %f to %f", (green, judged, low, high) => {
  const share = wilson(green, judged);

  expect(share.low).toBeCloseTo(low, 4);
  expect(share.high).toBeCloseTo(high, 4);
});

test("attempts are counted by capability, model and edit format", () => {
  const rows = statsOf([
    attempt("large", "green", {
      costUsd: 0.2,
      usage: { input: 100, output: 10 },
      durationMs: 3000,
    }),
    attempt("large", "tests_failed", { costUsd: 0.4, usage: { input: 50, output: 5 } }),
    attempt("large", "tests_failed", { costUsd: 0.3, durationMs: 9000 }),
    attempt("large", "green", { editFormat: "whole", costUsd: 1 }),
    attempt("small", "green", { capability: "cheap-code", step: "scout", costUnknown: 1 }),
  ]);

  expect(
    rows.map(({ capability, model, editFormat, attempts }) => [
      capability,
      model.model,
      editFormat,
      attempts,
    ]),
  ).toEqual([
    ["cheap-code", "small", "auto", 1],
    ["strong-code", "large", "auto", 3],
    ["strong-code", "large", "whole", 1],
  ]);
  expect(rows[1]).toMatchObject({
    judged: 3,
    green: 1,
    costUsd: expect.closeTo(0.9),
    costPerGreenUsd: expect.closeTo(0.9),
    inputTokens: 150,
    outputTokens: 15,
    tokensUnknown: 1,
    medianMs: 3000,
    p90Ms: 9000,
    failures: [{ kind: "tests_failed", count: 2 }],
  });
});

test("a cost that nobody knows is unknown, never zero", () => {
  const [row] = statsOf([attempt("large", "green", { costUnknown: 1 }), attempt("large", "green")]);

  expect(row).toMatchObject({ costUnknown: 2 });
  expect(row).not.toHaveProperty("costUsd");
  expect(row).not.toHaveProperty("costPerGreenUsd");
});

test.each([
  "rate_limit",
  "network",
  "auth",
  "refused",
  "flaky",
  "environment",
  "deadline",
] as const)("%s is listed and not held against the model", (kind) => {
  const [row] = statsOf([attempt("large", kind)]);

  expect(row).toMatchObject({ attempts: 1, judged: 0, failures: [{ kind, count: 1 }] });
  expect(row).not.toHaveProperty("share");
});

test.each(["tests_failed", "format", "apply", "empty_reply", "pack_invalid", "vacuous"] as const)(
  "%s is held against the model",
  (kind) => {
    expect(statsOf([attempt("large", kind)])[0]).toMatchObject({ judged: 1, green: 0 });
  },
);
