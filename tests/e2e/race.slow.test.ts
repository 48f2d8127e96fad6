import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { documentSchemas } from "../../src/cli/schemas/index.ts";
import type { Receipt } from "../../src/runs/index.ts";
import { survivorsAfter } from "./processes.ts";
import {
  asked,
  coderRule,
  fixedMath,
  grepTest,
  machine,
  type Machine,
  scenario,
  scoutRule,
  treeOf,
} from "./support.ts";

interface Race extends Receipt {
  readonly race: readonly {
    readonly backend: string;
    readonly end: "won" | "lost" | "failed";
    readonly runId: string | null;
    readonly outcome: string | null;
    readonly costUsd?: number;
    readonly costUnknown: number;
  }[];
}

/** The document of a race, held against its schema. */
function raceOf(receipt: Receipt): Race {
  expect(documentSchemas.run.safeParse(receipt).error).toBeUndefined();
  return receipt as Race;
}

function worktreesIn({ home }: Machine): string[] {
  const folder = join(home, ".local/state/kit/worktrees");
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Answers after the test would be over. */
const never = "delayMs: 600000";

describe("a race", () => {
  test("asks one scout, lands the first green change, and ends, charges and records the others", async () => {
    const here = await machine({
      scenario: scenario([
        scoutRule,
        coderRule("p1/first", "a * b"),
        coderRule("p2/second", "a + b"),
        coderRule("p3/third", "b + a", never),
      ]),
    });
    const { root, home, run, server, kit } = here;
    const { code, receipt } = await run(["--race", "3", "--test", grepTest]);
    const document = raceOf(receipt);
    expect({ code, outcome: document.outcome, landed: document.landed?.to }).toEqual({
      code: 0,
      outcome: "success",
      landed: "tree",
    });
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toBe(fixedMath);
    expect(document.race.map(({ backend }) => backend)).toEqual(["first", "second", "third"]);
    expect(document.race[1]).toMatchObject({ end: "won", runId: document.runId });
    expect(document.race[2]).toMatchObject({ end: "lost", outcome: "interrupted" });
    expect(asked(server).filter((model) => model === "p0/scout")).toHaveLength(1);
    const ids = document.race.map(({ runId }) => runId ?? "");
    for (const id of ids) {
      const shown = JSON.parse((await kit(["show", id, "--json"])).stdout) as Receipt;
      expect(shown.notes.join("\n")).toContain("One of a race");
    }
    // A call that was cut off is paid for, at a cost that nobody told, whether it arrived or not.
    expect(document.totals.calls).toBeGreaterThanOrEqual(asked(server).length);
    expect(document.totals.costUnknown).toBeGreaterThanOrEqual(1);
    const costs = document.race.flatMap(({ costUsd }) => costUsd ?? []);
    expect(document.totals.costUsd).toBeCloseTo(costs.reduce((sum, cost) => sum + cost, 0));
    expect(worktreesIn(here)).toEqual([]);
    expect(await survivorsAfter(home, 5_000)).toEqual([]);
  });

  test("lands one change where all are green at once", async () => {
    const sums = ["a + b", "a + b + 0", "a + b - 0"];
    const models = ["p1/first", "p2/second", "p3/third"];
    const here = await machine({
      scenario: scenario(models.map((model, index) => coderRule(model, sums[index] ?? ""))),
    });
    const { code, receipt } = await here.run([...here.quick, "--race", "3"]);
    const { race } = raceOf(receipt);
    expect(code).toBe(0);
    expect(race.filter(({ end }) => end === "won")).toHaveLength(1);
    const winner = race.findIndex(({ end }) => end === "won");
    const text = readFileSync(join(here.root, "src/math.js"), "utf8");
    expect(text).toBe(fixedMath.replace("a + b", sums[winner] ?? ""));
  });

  test("without a green one ends as the best of them, the tree as it was", async () => {
    const here = await machine({
      scenario: scenario([coderRule("p1/first", "a * b"), coderRule("p2/second", "a / b")]),
      bindings: { cheap: "p0/scout", first: "p1/first", second: "p2/second" },
    });
    const before = treeOf(here.root);
    const result = await here.run([...here.quick, "--race", "5"]);
    const { race, outcome } = raceOf(result.receipt);
    expect([result.code, outcome]).toEqual([1, "exhausted"]);
    expect(race.map(({ end }) => end)).toEqual(["failed", "failed"]);
    expect(result.stderr).toContain("2 candidates of 5 can be asked: first, second");
    expect(treeOf(here.root)).toEqual(before);
  });

  test("ends with the scout where that gives no pack", async () => {
    const here = await machine({ scenario: scenario([]) });
    const { code, receipt } = await here.run(["--race", "2", "--test", grepTest]);
    expect(code).toBe(receipt.exitCode);
    expect(raceOf(receipt).race.map(({ backend }) => backend)).toEqual(["first"]);
  });

  test("is refused where something follows one run alone, or where nothing can be isolated", async () => {
    const here = await machine({ scenario: scenario([]) });
    const args = ["run", "mend it", ...here.quick, "--race", "2"];
    expect(await here.kit([...args, "--events", "2"])).toMatchObject({ code: 2 });
    expect(await here.kit([...args, "--keep-failed"])).toMatchObject({ code: 2 });
    expect(await here.kit(["run", "mend it", ...here.quick, "--candidate", "none"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"none" does not serve "strong-code"'),
    });
    expect(here.server.requests).toEqual([]);
  });
});
