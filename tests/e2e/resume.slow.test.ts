import { createHash, createHmac } from "node:crypto";
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Receipt } from "../../src/runs/index.ts";
import { git } from "../support/repository.ts";
import {
  asked,
  coderRule,
  errorRule,
  eventsIn,
  fixedMath,
  type Machine,
  machine,
  reached,
  scenario,
  scoutRule,
  task,
  treeOf,
} from "./support.ts";

const right = scenario([scoutRule, coderRule("p1/first", "a + b", "delayMs: 3000")]);
const nobody = ["p1/first", "p2/second", "p3/third"].map((model) =>
  errorRule(model, 401, "Incorrect API key provided"),
);

function idIn(root: string): string {
  return readdirSync(join(root, ".kit/runs")).find((name) => /^\d{8}-/.test(name)) ?? "";
}

/** A run that is killed with its coder's call under way. */
async function killedRun(played: Machine, flags: readonly string[] = []): Promise<void> {
  const running = played.start(["run", task, "--test", "grep -q 'a + b' src/math.js", ...flags]);
  await reached(played.root, running, { type: "call_started", nth: 2 });
  running.process.kill("SIGKILL");
  await running.ended;
}

describe("kit resume", () => {
  test("goes on after kill -9, with the folder, pack-less scout and options of the run", async () => {
    const played = await machine({ scenario: right });
    await killedRun(played, ["--max-attempts", "1"]);
    const { code, stdout, stderr } = await played.kit(["resume"]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain("resumed");
    expect(stderr).toContain("from the record");
    expect(stdout).toContain("The tests are green");
    expect(readFileSync(join(played.root, "src/math.js"), "utf8")).toBe(fixedMath);
    expect(asked(played.server).filter((model) => model === "p0/scout")).toHaveLength(1);
    const again = await played.kit(["resume"]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("nothing to resume") });
    expect((await played.kit(["undo"])).code).toBe(0);
  });

  test("goes on after Ctrl-C, and says how", async () => {
    const played = await machine({ scenario: right });
    const running = played.start(["run", task, "--test", "grep -q 'a + b' src/math.js"]);
    await reached(played.root, running, { type: "call_started", nth: 2 });
    running.process.kill("SIGINT");
    const stopped = await running.ended;
    expect(stopped.code).toBe(130);
    expect(stopped.stdout).toContain(`kit resume ${idIn(played.root)}`);
    const { code, stdout } = await played.kit(["resume", "--json"]);
    expect({ code, receipt: JSON.parse(stdout) as Receipt }).toMatchObject({
      code: 0,
      receipt: { outcome: "success", resumed: 1 },
    });
  });

  test("asks again after exit 3, with what is bound by then", async () => {
    const played = await machine({
      scenario: scenario(
        [scoutRule, ...nobody, coderRule("p4/fourth", "a + b")],
        ["p0/scout", "p1/first", "p2/second", "p3/third", "p4/fourth"],
      ),
    });
    const first = await played.run(["--test", "grep -q 'a + b' src/math.js"]);
    expect(first.code).toBe(3);
    const file = join(played.home, "kit/models.local.yaml");
    const bindings = JSON.parse(readFileSync(file, "utf8")) as {
      backends: Record<string, unknown>;
    };
    bindings.backends["first"] = { provider: "p4", model: "fourth" };
    writeFileSync(file, JSON.stringify(bindings));
    const { code, stdout } = await played.kit(["resume", "--json"]);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(asked(played.server).filter((model) => model === "p0/scout")).toHaveLength(1);
  });

  test("says what changed, and tests again", async () => {
    const played = await machine({ scenario: right });
    await killedRun(played);
    writeFileSync(join(played.root, "package.json"), '{"name":"renamed","type":"module"}\n');
    const { code, stderr } = await played.kit(["resume"]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain("changed since the run began, so the tests run again: package.json");
    expect(asked(played.server).filter((model) => model === "p0/scout")).toHaveLength(1);
  });

  test("lands an isolated run's change on its branch", async () => {
    const played = await machine({ scenario: right });
    git(played.root, "config", "user.name", "Ada");
    git(played.root, "config", "user.email", "ada@example.org");
    const before = treeOf(played.root);
    await killedRun(played, ["--branch", "fix/sum"]);
    const { code, stderr } = await played.kit(["resume"]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(git(played.root, "cat-file", "blob", "fix/sum:src/math.js")).toBe(fixedMath);
    expect(treeOf(played.root)).toEqual(before);
  });

  test("reads a log whose last line a power cut tore", async () => {
    const played = await machine({ scenario: right });
    await killedRun(played);
    const log = join(played.root, ".kit/runs", idIn(played.root), "events.jsonl");
    appendFileSync(log, '{"v":1,"seq":99,"at":"2026-');
    expect((await played.kit(["resume"])).code).toBe(0);
    expect(eventsIn(played.root).at(-1)).toMatchObject({ type: "run_finished" });
  });

  test("runs no command of a record that a repository brought", async () => {
    const played = await machine({ scenario: right });
    await killedRun(played);
    const log = join(played.root, ".kit/runs", idIn(played.root), "events.jsonl");
    const marker = join(played.home, "marker");
    const seal = createHmac("sha256", createHash("sha256").digest()).digest("hex");
    const forged = readFileSync(log, "utf8")
      .replaceAll("grep -q 'a + b' src/math.js", `touch ${marker}`)
      .replace(/"seal":"[0-9a-f]+"/, `"seal":"${seal}"`);
    writeFileSync(log, forged);
    expect(await played.kit(["resume"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("was not started here"),
    });
    expect(existsSync(marker)).toBe(false);
  });

  test("keeps no credential: a run whose options hold one says that it cannot be resumed", async () => {
    const secret = `sk-${"a1B2".repeat(10)}`;
    const played = await machine({ scenario: right });
    const running = played.start(["run", task, "--test", `API_KEY=${secret} true`]);
    await reached(played.root, running, { type: "call_started", nth: 1 });
    running.process.kill("SIGKILL");
    await running.ended;
    expect(JSON.stringify(eventsIn(played.root))).not.toContain(secret);
    expect(await played.kit(["resume"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("does not say how it was started"),
    });
  });
});

describe("kit run", () => {
  test("says that a stopped run of this task can be resumed", async () => {
    const played = await machine({ scenario: right });
    await killedRun(played);
    const id = idIn(played.root);
    const { stderr } = await played.kit(["run", task, "--test", "grep -q 'a + b' src/math.js"]);
    expect(stderr).toContain(`kit resume ${id}`);
  });

  test.each([[[]], [["--isolate"]]])(
    "refuses a task that a run works on with the same options (%j), naming it",
    async (more) => {
      const played = await machine({ scenario: right });
      const flags = ["run", task, "--test", "grep -q 'a + b' src/math.js", ...more];
      const running = played.start(flags);
      await reached(played.root, running, { type: "call_started", nth: 2 });
      const id = idIn(played.root);
      expect(await played.kit(flags)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(id),
      });
      expect(await played.kit(["resume"])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("still going on"),
      });
      expect((await running.ended).code).toBe(0);
    },
  );
});
