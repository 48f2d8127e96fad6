import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunGround, TestTally } from "../../../src/contracts/index.ts";
import { acquireLock } from "../../../src/lib/lock.ts";
import { createRun } from "../../../src/runs/index.ts";
import { repository, writeFiles } from "../../support/repository.ts";
import { candidate, escalatedRun, tickingClock } from "../../runs/support.ts";
import { runKit } from "../support.ts";
import { documentOf } from "./support.ts";

/** A repository with one recorded run. */
async function withRun(): Promise<{ readonly cwd: string; readonly id: string }> {
  const cwd = repository({ "a.txt": "a\n" });
  const id = "20261130-191430-8xi0";
  const run = await createRun({ folder: join(cwd, ".kit", "runs"), id, clock: tickingClock() });
  for (const event of escalatedRun) await run.emit(event);
  await run.close();
  return { cwd, id };
}

test("runs shows what each run came to", async () => {
  const { cwd, id } = await withRun();

  const ran = await runKit(["runs"], { cwd });
  const { document } = await documentOf("runs", ["runs"], { cwd });

  expect(ran).toEqual({
    exitCode: 0,
    stderr: "",
    stdout: `${id}  success  2 tried  at least $0.1000 (1 call of unknown cost)  Mend add\n`,
  });
  expect(document["runs"]).toMatchObject([{ runId: id, outcome: "success", attempts: 2 }]);
});

test("runs shows the newest ones and says how many came before", async () => {
  const { cwd } = await withRun();
  const folder = join(cwd, ".kit", "runs");
  const older = "20261129-191430-aaaa";
  const run = await createRun({ folder, id: older, clock: tickingClock() });
  for (const event of escalatedRun) await run.emit(event);
  await run.close();

  const { stdout } = await runKit(["runs", "-n", "1"], { cwd });
  const { document } = await documentOf("runs", ["runs"], { cwd });

  expect(stdout).toContain("\n… and 1 earlier run: kit runs -n 2\n");
  expect(document["runs"]).toHaveLength(2);
});

test("a repository without runs says how to start one", async () => {
  const cwd = repository({});

  expect(await runKit(["runs"], { cwd })).toEqual({
    exitCode: 0,
    stderr: "",
    stdout: 'No runs yet. Start one: kit run --task "…"\n',
  });
  expect((await documentOf("runs", ["runs"], { cwd })).document["runs"]).toEqual([]);
});

test.each(["0", "-1", "1.5", "many"])("--limit %s is refused", async (limit) => {
  const { exitCode, stderr } = await runKit(["runs", `--limit=${limit}`], { cwd: repository({}) });

  expect(exitCode).toBe(2);
  expect(stderr).toContain("a whole number from 1 is needed");
});

test("show tells a run again, found by the end of its id", async () => {
  const { cwd, id } = await withRun();

  const { exitCode, stdout } = await runKit(["show", "8xi0"], { cwd });

  expect(exitCode).toBe(0);
  expect(stdout).toMatch(new RegExp(`^Mend add\nkit 0\\.1\\.0 · run ${id}\n`));
  expect(stdout).toContain("✗ coder 1: tests_failed: 1 test failed → on to the next\n");
  expect(stdout.replaceAll(/\n */g, "").replaceAll(" ", "")).toContain(
    `records:${cwd}/.kit/runs/${id}`,
  );
});

test("show tells tests, review, landing and grounds in lines of 80 columns", async () => {
  const cwd = repository({ "a.txt": "a\n" });
  const id = "20261130-191430-8xi0";
  const hash = "a".repeat(64);
  const run = await createRun({ folder: join(cwd, ".kit", "runs"), id, clock: tickingClock() });
  for (const event of escalatedRun) {
    if (event.type === "run_started") await run.emit({ ...event, ground: groundOf(hash) });
    else if (event.type === "verdict" && event.attempt === 2) {
      await run.emit({ ...event, tests: hash, tally });
      await run.emit({
        type: "reviewed",
        attempt: 2,
        asked: 1,
        answered: [candidate],
        passed: true,
      });
    } else if (event.type === "run_finished") {
      await run.emit({ type: "landed", to: "branch", branch: "kit/mend-add", commit: hash });
      await run.emit({ ...event, treeAfter: { head: hash, hash: "c".repeat(64) } });
    } else await run.emit(event);
  }
  await run.close();

  const { stdout } = await runKit(["show"], { cwd });

  const lines = stdout.trimEnd().split("\n");
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines).toContain("✓ committed as aaaaaaaaaaaa on the new branch kit/mend-add");
  expect(lines).toContain("  reviewed by acme/small: no severe fault found");
  const at = lines.indexOf(
    "  tests: 7 passed, 1 failed, 0 skipped (1 red since the change, 12 fixed)",
  );
  expect(lines.slice(at + 1)).toEqual([
    "    red since the change  adds twice",
    ...Array.from({ length: 9 }, (_, index) => `    fixed                 adds ${index}`),
    "    … and 3 more tests: kit report",
    "  strong-code: nobody",
    "    without deep: no model is bound to it on this machine, and nobody else",
    "      serves the capability",
    "  user: /home/ada/.config/kit/kit.yaml (aaaaaaaaaaaa)",
    "  tree aaaaaaaaaaaa, as it stood aaaaaaaaaaaa, afterwards cccccccccccc",
    "  kit 0.1.0, Node v24.21.0, linux x64, pi 0.70.0",
  ]);
});

const tally: TestTally = {
  passed: 7,
  failed: 1,
  skipped: 0,
  moves: { regressed: 1, fixed: 12 },
  named: [
    { id: "adds twice", move: "regressed" },
    ...Array.from({ length: 12 }, (_, index) => ({ id: `adds ${index}`, move: "fixed" as const })),
  ],
};

function groundOf(hash: string): RunGround {
  const reason = "no model is bound to it on this machine, and nobody else serves the capability";
  return {
    versions: {
      kit: "0.1.0",
      node: "v24.21.0",
      platform: "linux x64",
      adapters: { pi: "0.70.0" },
    },
    sources: [{ kind: "settings", layer: "user", file: "/home/ada/.config/kit/kit.yaml", hash }],
    routes: [{ capability: "strong-code", candidates: [], skipped: [{ backend: "deep", reason }] }],
    tree: { head: hash, hash },
  };
}

test("show --json is the receipt", async () => {
  const { cwd, id } = await withRun();

  const { document } = await documentOf("show", ["show"], { cwd });

  expect(document).toMatchObject({ runId: id, outcome: "success", totals: { calls: 2 } });
});

test("a run that is not there ends with 2", async () => {
  const { cwd } = await withRun();

  expect(await runKit(["show", "nope"], { cwd })).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: 'kit: No run is named "nope".\nnext: List them: kit runs\n',
  });
});

test("the run that goes on in this tree is shown as running", async () => {
  const { cwd, id } = await withRun();
  const lock = await acquireLock(join(cwd, ".git", "kit", "lock"), { holder: id });

  const { stdout } = await runKit(["runs"], { cwd });
  const { document } = await documentOf("runs", ["runs"], { cwd });

  expect(stdout).toContain(`${id}  running`);
  expect(document["runs"]).toMatchObject([{ runId: id, running: true }]);
  if ("release" in lock) await lock.release();
});

test("the lock of a killed kit is put right and its run shown as it ended", async () => {
  const { cwd, id } = await withRun();
  writeFiles(cwd, { ".git/kit/lock.holder": `${JSON.stringify({ holder: id, pid: 1 })}\n` });

  const { stdout } = await runKit(["runs"], { cwd });

  expect(stdout).toContain(`${id}  success`);
  expect(existsSync(join(cwd, ".git/kit/lock.holder"))).toBe(false);
});
