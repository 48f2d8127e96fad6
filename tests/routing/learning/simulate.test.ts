import { expect, test } from "vitest";
import { type RecordedAttempt, simulateRoute } from "../../../src/routing/index.ts";
import { attempt, candidate, routeOf, seeded } from "./support.ts";

interface Model {
  readonly name: string;
  /** The true chance of turning an attempt green. */
  readonly rate: number;
  readonly costUsd: number;
}

const models: readonly Model[] = [
  { name: "deep", rate: 0.85, costUsd: 1.5 },
  { name: "strong", rate: 0.75, costUsd: 0.4 },
  { name: "cheap", rate: 0.4, costUsd: 0.03 },
  { name: "local", rate: 0.1, costUsd: 0.02 },
];
const maxAttempts = 3;

/** Runs in the order given until one is green, by chance. */
function syntheticRuns(count: number, seed: number, order: readonly Model[]): RecordedAttempt[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, run) => {
    const attempts: RecordedAttempt[] = [];
    // Which model a run starts with differs, as it does for users who changed their order.
    const rotated = order.map((_model, index) => order[(index + run) % order.length]);
    for (const model of rotated.slice(0, maxAttempts)) {
      if (model === undefined || attempts.at(-1)?.ok === true) break;
      const green = random() < model.rate;
      const costUsd = model.costUsd * (0.5 + random());
      attempts.push(
        attempt(model.name, green ? "green" : "tests_failed", { runId: `run-${run}`, costUsd }),
      );
    }
    return attempts;
  }).flat();
}

/** Solves and cost of one run in an order, by the true chances; a failed one is rerun on the dearest. */
function truth(order: readonly Model[]): { readonly solves: number; readonly cost: number } {
  let [open, cost] = [1, 0];
  for (const { rate, costUsd } of order) {
    cost += open * costUsd;
    open *= 1 - rate;
  }
  return {
    solves: 1 - open,
    cost: cost + open * Math.max(...models.map(({ costUsd }) => costUsd)),
  };
}

function ordersOf(left: readonly Model[], length: number): readonly Model[][] {
  if (length === 0) return [[]];
  return left.flatMap((first) =>
    ordersOf(
      left.filter((model) => model !== first),
      length - 1,
    ).map((rest) => [first, ...rest]),
  );
}

test("200 synthetic receipts lead to the cheapest order at 99 % of the solves, whatever was configured", () => {
  const orders = ordersOf(models, maxAttempts);
  const most = Math.max(...orders.map((order) => truth(order).solves));
  const cheapest = Math.min(
    ...orders.map(truth).flatMap(({ solves, cost }) => (solves >= 0.99 * most ? [cost] : [])),
  );
  const results = Array.from({ length: 10 }, (_, seed) => {
    const route = routeOf(...models.map(({ name }) => candidate(name)));
    const simulation = simulateRoute(
      route,
      syntheticRuns(200, seed + 1, models),
      "coder",
      maxAttempts,
    );
    const found = simulation.cheapest?.backends.flatMap(
      (name) => models.find((model) => model.name === name) ?? [],
    );
    return { simulation, ...truth(found ?? []) };
  });

  for (const { simulation, solves, cost } of results) {
    expect(simulation.runs).toBe(200);
    expect(solves).toBeGreaterThanOrEqual(0.99 * most);
    // One cent in a hundred: two orders that differ by less are the same to 200 receipts.
    expect(cost).toBeLessThanOrEqual(1.01 * cheapest);
    expect(simulation.calibration.error).toBeLessThan(0.1);
  }
});

test("recorded outcomes count as they were; what was not recorded counts as believed", () => {
  const recorded = [
    attempt("a", "tests_failed", { runId: "1", costUsd: 1 }),
    attempt("b", "green", { runId: "1", costUsd: 3 }),
    attempt("a", "green", { runId: "2", costUsd: 1 }),
  ];
  const simulation = simulateRoute(routeOf(candidate("a"), candidate("b")), recorded, "coder", 3);

  expect(simulation.configured).toMatchObject({
    backends: ["a", "b"],
    solves: 2,
    costUsd: 5,
    rerunUsd: 0,
  });
});

test("a run that nobody turns green is charged a rerun on the dearest model", () => {
  const recorded = [
    attempt("a", "tests_failed", { runId: "1", costUsd: 1 }),
    attempt("b", "tests_failed", { runId: "1", costUsd: 3 }),
  ];
  const { configured } = simulateRoute(
    routeOf(candidate("a"), candidate("b")),
    recorded,
    "coder",
    3,
  );

  expect(configured).toMatchObject({ solves: 0, costUsd: 1 + 3 + 3, rerunUsd: 3 });
});

test("without a known cost for each model no order is called the cheapest", () => {
  const recorded = [attempt("a", "green", { runId: "1", costUsd: 1 })];
  const simulation = simulateRoute(routeOf(candidate("a"), candidate("b")), recorded, "coder", 3);

  expect(simulation).not.toHaveProperty("cheapest");
  expect(simulation.configured).not.toHaveProperty("costUsd");
  expect(simulation.configured.solves).toBe(1);
});

test("attempts that say nothing of a model are no runs", () => {
  const simulation = simulateRoute(
    routeOf(candidate("a")),
    [attempt("a", "rate_limit")],
    "coder",
    3,
  );

  expect(simulation).toMatchObject({ runs: 0, calibration: { attempts: 0 } });
});
