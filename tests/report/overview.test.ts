import { expect, test } from "vitest";
import { type Overview, renderOverview } from "../../src/report/index.ts";

const figures = {
  attempts: 2,
  judged: 2,
  green: 1,
  share: { rate: 0.5, low: 0.1, high: 0.9 },
  costUsd: 0.25,
  costUnknown: 0,
  costPerGreenUsd: 0.25,
};

function overview(over: Partial<Overview> = {}): Overview {
  const run = {
    runId: "20261130-191430-8xi0",
    startedAt: null,
    outcome: "success",
    task: "Mend <add>",
    attempts: 2,
    durationMs: 9000,
    costUsd: 0.25,
    costUnknown: 0,
  };
  return {
    kitVersion: "0.1.0",
    root: "/repo",
    runs: [run, { ...run, runId: "20261129-191430-8xi0", outcome: "exhausted" }],
    stretches: ["2026-11-29", "2026-11-30"],
    stretchOf: ({ runId }) => (runId.startsWith("20261129") ? 0 : 1),
    unit: "day",
    models: [
      {
        capability: "strong-code",
        model: "acme/<large>",
        whole: figures,
        over: [undefined, figures],
      },
    ],
    unreadable: 1,
    ...over,
  };
}

test("the overview tells green rate and cost, in all, over time and by model", () => {
  const page = renderOverview(overview());

  for (const text of [
    "1 of 2 runs green",
    "$0.5000",
    "Runs a day",
    "acme/&lt;large&gt;: green rate a day; last 50 %",
    "50 %, 10 to 90 %",
    "Mend &lt;add&gt;",
    "1 run",
  ]) {
    expect(page).toContain(text);
  }
  expect(page.match(/<svg\s/g)).toHaveLength(4);
  expect(page).not.toMatch(/NaN|Infinity|undefined|<script/);
});

test("runs without a cost and models without a verdict are said to be unknown", () => {
  const runs = overview().runs.map(({ runId, task }) => {
    return {
      runId,
      task,
      startedAt: null,
      outcome: "no_model",
      attempts: 1,
      durationMs: 9,
      costUnknown: 1,
    };
  });
  const whole = { attempts: 1, judged: 0, green: 0, costUnknown: 1 };
  const models = [{ capability: "deep-review", model: "acme/x", whole, over: [undefined, whole] }];

  const page = renderOverview(overview({ runs, models }));

  expect(page).toContain("cost unknown");
  expect(page).toContain("none judged");
  expect(page).not.toMatch(/NaN|Infinity/);
});
