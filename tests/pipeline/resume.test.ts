import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readRun, type RunRead } from "../../src/runs/index.ts";
import { repository, temporaryFolder, writeFiles } from "../support/repository.ts";
import {
  type Answer,
  candidate,
  fileBlock,
  fixedMath,
  packText,
  play,
  type Played,
  redRepository,
  type Scene,
} from "./support.ts";

const a = candidate("p1/a", { price: { input: 1, output: 1 } });
const b = candidate("p2/b", { price: { input: 1, output: 1 } });
const wrong = fileBlock("src/math.js", "export const add = (a, b) => a * b;\n");
const right = fileBlock("src/math.js", fixedMath);
const usage = { input: 1_000, output: 100 };

const reply = (text: string): ReturnType<Answer> => ({
  ok: true,
  text,
  usage,
  costUsd: 0.01,
  servedBy: "p/m",
});

/** A scout, a wrong change and a right one; `stop` is the call at which the process dies. */
function models(stop?: string): Answer {
  return ({ candidate: name }) => {
    if (name === stop) throw new Error("killed");
    if (name === "p0/scout") return reply(packText("src/math.js"));
    return reply(name === "p1/a" ? wrong : right);
  };
}

/** Lets a run die in the call of `stop`, then goes on with it. */
async function resumed(
  stop: string,
  scene: Partial<Scene> = {},
  meanwhile: (root: string) => void = () => undefined,
): Promise<Played & { readonly run: RunRead }> {
  const root = scene.root ?? repository(redRepository);
  const base = { coder: [a, b], ...scene, root };
  await expect(play({ ...base, answer: models(stop) })).rejects.toThrow("killed");
  meanwhile(root);
  const played = await play({ answer: models(), ...base, resumes: idIn(root) });
  return { ...played, run: await readRun(join(root, ".kit", "runs")) };
}

function idIn(root: string): string {
  return readdirSync(join(root, ".kit", "runs")).find((name) => /^\d{8}-/.test(name)) ?? "";
}

describe("a resumed run", () => {
  test("asks only who had not answered, whatever noise is in the output of the tests", async () => {
    const noisy =
      "cat /proc/sys/kernel/random/uuid 2>/dev/null || date; grep -q 'a + b' src/math.js || { echo 'AssertionError: 3 !== 5'; exit 1; }\n";
    const { outcome, calls, root } = await resumed("p2/b", {
      root: repository({ ...redRepository, "check.sh": noisy }),
    });
    expect(outcome.outcome).toBe("success");
    expect(calls.map((call) => call.candidate)).toEqual(["p2/b"]);
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toBe(fixedMath);
  });

  test("is told whole by its last events, and counts each paid call once", async () => {
    const { run } = await resumed("p2/b");
    expect(run.receipt).toMatchObject({
      outcome: "success",
      resumed: 1,
      // Scout, wrong change, the call that nobody saw the end of, right change.
      totals: { calls: 4, costUsd: 0.03, costUnknown: 1, usageUnknown: 1 },
    });
    const asked = run.receipt.attempts.map(({ step, calls, costUsd }) => [step, calls, costUsd]);
    expect(asked).toEqual([
      ["scout", 1, 0.01],
      ["coder", 1, 0.01],
      ["coder", 1, 0.01],
    ]);
    expect(run.events.filter(({ type }) => type === "pack_ready")).toHaveLength(1);
    expect(run.log.length).toBeGreaterThan(run.events.length);
  });

  test("reuses what the tests said of this tree and of each change, once", async () => {
    const count = join(temporaryFolder(), "runs");
    const root = repository({
      ...redRepository,
      "check.sh": `echo run >> ${count}\n${redRepository["check.sh"]}`,
    });
    const runs = (): number =>
      existsSync(count) ? readFileSync(count, "utf8").trim().split("\n").length : 0;
    let before = 0;
    const { outcome } = await resumed("p2/b", { root, treeHash: "tree" }, () => {
      before = runs();
    });
    expect(outcome.outcome).toBe("success");
    // Baseline twice, as it is red, and the wrong change; then the right one alone.
    expect([before, runs()]).toEqual([3, 4]);
  });

  test("asks a coder again where somebody changed the files it was shown", async () => {
    const mine = "// mine\nexport const add = (a, b) => a - b;\n";
    const { calls } = await resumed("p2/b", {}, (root) =>
      writeFiles(root, { "src/math.js": mine }),
    );
    expect(calls.map((call) => call.candidate)).toEqual(["p1/a", "p2/b"]);
    expect(calls[0]?.prompt).toContain("// mine");
  });

  test("asks again who failed: somebody may have signed in meanwhile", async () => {
    const root = repository(redRepository);
    const auth = { ok: false, failure: { kind: "auth", message: "signed out" } } as const;
    const scene = { root, coder: [a] };
    const first = await play({
      ...scene,
      answer: (call) => (call.candidate === "p1/a" ? auth : models()(call)),
    });
    expect(first.outcome.exitCode).toBe(3);
    const again: Answer = (call) => (call.candidate === "p1/a" ? reply(right) : models()(call));
    const { outcome, calls } = await play({ ...scene, answer: again, resumes: idIn(root) });
    expect(outcome.outcome).toBe("success");
    expect(calls.map((call) => call.candidate)).toEqual(["p1/a"]);
  });

  test.each<readonly [string, Scene["limits"], string]>([
    ["calls", { maxCalls: 3 }, "all 3 calls"],
    ["tokens", { budgetTokens: 12_000 }, "--budget-tokens"],
    ["dollars", { budgetUsd: 0.03 }, "--budget-usd"],
  ])("counts %s on, lost calls too", async (_name, limits, message) => {
    const { outcome, calls } = await resumed("p2/b", {
      limits: limits ?? {},
      scout: [candidate("p0/scout", { price: { input: 1, output: 1 } })],
    });
    expect(calls).toEqual([]);
    expect(outcome).toMatchObject({ outcome: "stopped", failure: { kind: "budget" } });
    expect(outcome.failure?.message).toContain(message);
  });
});
