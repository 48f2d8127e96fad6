import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type RecordedAttempt, suggestOrder } from "../../../src/routing/index.ts";
import { attempt, candidate, routeOf } from "./support.ts";

/** So many attempts of a model, the first ones green, each of this cost, each a run of its own. */
function tried(model: string, green: number, red: number, costUsd?: number): RecordedAttempt[] {
  return Array.from({ length: green + red }, (_, index) =>
    attempt(model, index < green ? "green" : "tests_failed", {
      runId: `${model}-${index}`,
      ...(costUsd !== undefined && { costUsd }),
      usage: { input: 1000, output: 100 },
    }),
  );
}

const names = (attempts: readonly RecordedAttempt[], ...backends: string[]): string[] =>
  suggestOrder(
    routeOf(...backends.map((name) => candidate(name))),
    attempts,
    "coder",
  ).candidates.map(({ backend }) => backend);

test("a model that is green as often for less is asked first", () => {
  const attempts = [...tried("dear", 18, 2, 1), ...tried("cheap", 18, 2, 0.1)];

  expect(names(attempts, "dear", "cheap")).toEqual(["cheap", "dear"]);
});

test("a cheap model that is hardly ever green is asked last", () => {
  const attempts = [...tried("cheap", 1, 39, 0.1), ...tried("dear", 38, 2, 1)];

  expect(names(attempts, "cheap", "dear")).toEqual(["dear", "cheap"]);
});

test("the sums are those of the Beta posterior, with the order as prior worth four attempts", () => {
  const attempts = [...tried("dear", 6, 2, 1), ...tried("cheap", 3, 1, 0.25)];
  const order = suggestOrder(routeOf(candidate("dear"), candidate("cheap")), attempts, "coder");

  // dear first says: cheap is believed to be green a quarter as often at a quarter of the cost.
  expect(order.beliefs).toMatchObject([
    { prior: 0.5, judged: 8, green: 6, rate: (4 * 0.5 + 6) / 12, costUsd: 1 },
    { prior: 0.125, judged: 4, green: 3, rate: (4 * 0.125 + 3) / 8, costUsd: 0.25 },
  ]);
  expect(order.configured).toBeCloseTo(1 + (1 - 8 / 12) * 0.25);
  expect(order.suggested).toBeCloseTo(0.25 + (1 - 3.5 / 8) * 1);
});

describe("without runs that speak for another order the configured one stands", () => {
  test("whatever the prices are", () => {
    const price = fc.record({
      input: fc.double({ min: 0.01, max: 100, noNaN: true }),
      output: fc.double({ min: 0.01, max: 100, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(price, { minLength: 1, maxLength: 6 }), (prices) => {
        const candidates = prices.map((one, index) => candidate(`m${index}`, one));
        const others = tried("another", 3, 1, 0.5);
        const order = suggestOrder(routeOf(...candidates), others, "coder");

        expect(order.candidates).toEqual(candidates);
      }),
    );
  });

  test("and where providers, machines and users ended the attempts", () => {
    const failures = ["rate_limit", "environment", "interrupted", "flaky"] as const;
    const attempts = failures.flatMap((kind) => attempt("first", kind, { costUsd: 1 }));

    expect(names(attempts, "first", "second")).toEqual(["first", "second"]);
  });
});

test("where a cost is unknown, attempts until a green are counted", () => {
  const attempts = [...tried("first", 2, 8), ...tried("second", 9, 1)];
  const order = suggestOrder(routeOf(candidate("first"), candidate("second")), attempts, "coder");

  expect(order.unit).toBe("attempts");
  expect(order.candidates.map(({ backend }) => backend)).toEqual(["second", "first"]);
});

test("a degraded candidate stays behind the able ones", () => {
  const attempts = [...tried("able", 1, 9, 1), ...tried("blind", 9, 1, 0.01)];
  const route = routeOf(candidate("able"), candidate("blind", undefined, ["vision"]));

  expect(suggestOrder(route, attempts, "coder").candidates[0]?.backend).toBe("able");
});

test("other steps and capabilities say nothing", () => {
  const other = tried("cheap", 20, 0, 0.01).map((one) => ({ ...one, step: "scout" as const }));

  expect(names([...other, ...tried("dear", 19, 1, 1)], "dear", "cheap")).toEqual(["dear", "cheap"]);
});

describe("exploring", () => {
  /** `known` was tried in `runs` runs; `fresh` costs a little more by its price. */
  const order = (runs: number, freshPrice: number) =>
    suggestOrder(
      routeOf(candidate("known"), candidate("fresh", { input: freshPrice, output: freshPrice })),
      tried("known", runs - Math.ceil(runs / 2), Math.ceil(runs / 2), 0.0011),
      "coder",
    );

  test("happens in one run of ten at most", () => {
    const explored = Array.from({ length: 40 }, (_, index) => index + 5).filter(
      (runs) => order(runs, 1.05).explores !== undefined,
    );

    expect(explored).toEqual([19, 29, 39]);
  });

  test("never costs twice what the best order is expected to", () => {
    expect(order(19, 1.05).explores).toBe("fresh");
    expect(order(19, 100).explores).toBeUndefined();
  });
});
