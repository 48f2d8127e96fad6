import { join } from "node:path";
import { expect, test } from "vitest";
import type { Event } from "../../../src/contracts/index.ts";
import { receiptOf } from "../../../src/runs/index.ts";
import { candidate, escalatedRun, recorded } from "../../runs/support.ts";
import { repository, temporaryFolder, writeFiles } from "../../support/repository.ts";
import { runKit } from "../support.ts";
import { documentOf, userConfiguration } from "./support.ts";

const models = [
  "backends:",
  "  strong: { provider: acme, model: large, price: { input: 10, output: 30 } }",
  "  deep: { provider: acme, model: huge }",
  "  cheap: { provider: acme, model: small }",
  "",
].join("\n");

/** Events of a run in which one model's only attempt came to this, at this cost. */
function oneAttempt(model: string, isGreen: boolean, costUsd: number): Event[] {
  const started = escalatedRun.find(({ type }) => type === "run_started");
  return [
    ...(started ? [started] : []),
    {
      type: "attempt_started",
      step: "coder",
      attempt: 1,
      agent: "coder",
      capability: "strong-code",
      candidate: { ...candidate, backend: "any", model },
      editFormat: "whole",
    },
    { type: "call_started", step: "coder", attempt: 1, call: 1, prompt: "p", promptTokens: 1 },
    {
      type: "call_finished",
      step: "coder",
      attempt: 1,
      call: 1,
      ok: true,
      usage: { input: 1000, output: 100 },
      costUsd,
      durationMs: 5,
    },
    {
      type: "attempt_finished",
      step: "coder",
      attempt: 1,
      ok: isGreen,
      ...(!isGreen && { failure: { kind: "tests_failed", message: "red", digest: "" } }),
      durationMs: 10,
    },
  ];
}

/** Receipts by path, as a folder of runs holds them. */
function receipts(runs: readonly Event[][]): Record<string, string> {
  return Object.fromEntries(
    runs.map((events, index) => {
      const id = `20261130-1914${String(index).padStart(2, "0")}-8xi0`;
      const receipt = { ...receiptOf(recorded(events), `/runs/${id}`), runId: id };
      return [`${id}/receipt.json`, JSON.stringify(receipt)];
    }),
  );
}

/** Ten runs in which `small` is as green as `large` at a tenth of the cost. */
const tenRuns = receipts([
  ...Array.from({ length: 6 }, (_, index) => oneAttempt("large", index > 0, 0.2)),
  ...Array.from({ length: 5 }, (_, index) => oneAttempt("small", index > 0, 0.02)),
  ...Array.from({ length: 4 }, () => oneAttempt("huge", true, 0.9)),
]);

/** A repository with these runs. */
function withRuns(runs: Record<string, string>): string {
  const cwd = repository({ "a.txt": "a\n" });
  writeFiles(join(cwd, ".kit", "runs"), runs);
  return cwd;
}

test("kit stats says what each model did, with intervals", async () => {
  const cwd = withRuns(tenRuns);

  const { stdout } = await runKit(["stats", "strong-code"], { cwd });
  const { document } = await documentOf("stats", ["stats"], { cwd });

  expect(stdout).toContain(
    [
      "strong-code: acme/large, whole edits",
      "  green     5 of 6 (83 %, 44–97 %)",
      "  cost      $1.20, $0.2400 a green",
      "  tokens    6,000 → 600",
      "  time      0.0 s median, 0.0 s for nine in ten",
      "  failures  tests_failed 1",
    ].join("\n"),
  );
  expect(document).toMatchObject({ runs: 15, unreadable: [] });
});

test("without runs, stats, suggestions and simulation say so", async () => {
  const cwd = repository({});
  const { env } = userConfiguration({ "models.local.yaml": models });

  expect((await runKit(["stats"], { cwd })).stdout).toMatch(/^No attempts yet\. Start a run/);
  expect((await runKit(["simulate"], { cwd, env })).stdout).toMatch(/^No recorded run/);
  expect((await runKit(["route", "strong-code", "--suggest"], { cwd, env })).stdout).toContain(
    "suggested, from 0 runs",
  );
});

test("kit route --suggest shows the order that costs least until a green, and the sums", async () => {
  const cwd = withRuns(tenRuns);
  const { env } = userConfiguration({ "models.local.yaml": models });
  const argv = ["route", "strong-code", "--suggest"];

  const { stdout } = await runKit(argv, { cwd, env });
  const { document } = await documentOf("route", argv, { cwd, env });

  expect(stdout).toMatch(
    /1\. {2}cheap .*\(4 × 0\.01 \+ 4\) \/ \(4 \+ 5\) = 0\.45 green {2}\$0\.0200 \(5 attempts\)/,
  );
  expect(stdout).toMatch(/expected until green: \$0\.\d+, as configured \$0\.\d+/);
  expect(document).toMatchObject({
    routes: [{ candidates: [{ backend: "strong" }, { backend: "deep" }, { backend: "cheap" }] }],
    suggested: [{ capability: "strong-code", unit: "usd", order: ["cheap", "strong", "deep"] }],
  });
});

test("routing.order: suggested asks in that order, fixed as configured", async () => {
  const cwd = withRuns(tenRuns);
  const asked = async (order: string): Promise<unknown> => {
    const { env } = userConfiguration({
      "models.local.yaml": models,
      "kit.yaml": `routing: { order: ${order} }\n`,
    });
    const argv = ["run", "--dry-run", "--allow-untested", "it crashes"];
    const { document } = await documentOf("run-dry-run", argv, { cwd, env });
    const routes = document["routes"] as { coder: { candidates: { backend: string }[] } };
    return routes.coder.candidates.map(({ backend }) => backend);
  };

  expect(await asked("suggested")).toEqual(["cheap", "strong", "deep"]);
  expect(await asked("fixed")).toEqual(["strong", "deep", "cheap"]);
});

test("kit simulate replays receipts under another registry", async () => {
  const folder = temporaryFolder();
  writeFiles(folder, {
    ...tenRuns,
    "other.json": "{}",
    "cheap-first.yaml":
      "capabilities: { strong-code: { primary: cheap, fallback: [strong, deep] } }\n",
  });
  const { env } = userConfiguration({ "models.local.yaml": models });
  const argv = ["simulate", "--receipts", folder, "--registry", join(folder, "cheap-first.yaml")];

  const { stdout } = await runKit(argv, { cwd: repository({}), env });
  const { document } = await documentOf("simulate", argv, { cwd: repository({}), env });

  expect(document).toMatchObject({
    runs: 15,
    simulations: [{ runs: 15, configured: { backends: ["cheap", "strong", "deep"] } }],
    unreadable: [{ name: "other.json", reason: "it is no receipt of kit" }],
  });
  expect(stdout).toMatch(/as configured {2}cheap, strong, deep {2}\d+ % green {2}\$/);
  expect(stdout).toMatch(/calibration error \d+ % over 15 attempts/);
});

test("a receipt that lacks what is not learned from is read, an unknown cost stays unknown", async () => {
  const folder = temporaryFolder();
  const of = (ok: boolean, more: object): string =>
    JSON.stringify({
      attempts: [
        {
          step: "coder",
          capability: "strong-code",
          candidate: { provider: "acme", model: "large" },
          ok,
          ...more,
        },
      ],
    });
  writeFiles(folder, {
    "a.json": of(true, { costUsd: 0.5 }),
    "b.json": of(false, { failure: { kind: "tests_failed" } }),
  });
  const { env } = userConfiguration({ "models.local.yaml": models });

  const { document } = await documentOf("simulate", ["simulate", "--receipts", folder], {
    cwd: repository({}),
    env,
  });

  expect(document).toMatchObject({
    runs: 2,
    simulations: [{ runs: 2, calibration: { attempts: 2 } }],
    unreadable: [],
  });
});

test.each(["--receipts", "--registry"])(
  "%s that cannot be read is a usage error",
  async (option) => {
    const { exitCode, stderr } = await runKit(["simulate", option, "nowhere"], {
      cwd: repository({}),
    });

    expect(exitCode).toBe(2);
    expect(stderr).toContain(option);
  },
);

test("a receipt records the edit format a coder was asked for", () => {
  const receipt = receiptOf(recorded(oneAttempt("large", true, 1)), "/runs/x");

  expect(receipt.attempts[0]?.editFormat).toBe("whole");
});
