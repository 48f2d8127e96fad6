import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  asked,
  coderRule,
  crlfRepository,
  endsOf,
  errorRule,
  fixedMath,
  machine,
  scenario,
} from "./support.ts";
import { repository, writeFiles } from "../support/repository.ts";

const spent = (model: string): string => errorRule(model, 429, "usage limit has been reached");
const two = { first: "p1/first", second: "p2/second" };

describe("two accounts that are both spent", () => {
  test("are asked once by the first run, and by the second not at all: it says when each returns", async () => {
    const { run, kit, quick, server } = await machine({
      scenario: scenario([spent("p1/first"), spent("p2/second")]),
      bindings: two,
    });
    const first = await run(quick);
    expect(first.code).toBe(3);
    expect(endsOf(first.receipt)).toEqual(["usage_limit", "usage_limit"]);
    expect(asked(server)).toEqual(["p1/first", "p2/second"]);
    const second = await kit(["run", "add(2, 3) must be 5", ...quick]);
    expect(second.code).toBe(3);
    expect(asked(server)).toHaveLength(2);
    expect(second.stderr).toMatch(
      /p1\/first\): .* until \S+Z; second .*p2\/second\): .* until \S+Z/,
    );
    const forgotten = await kit(["quota", "clear", "p1"]);
    expect(forgotten.stdout).toContain("1 limit");
    await run(quick);
    expect(asked(server)).toEqual(["p1/first", "p2/second", "p1/first"]);
  });
});

describe("an agent that names a ladder", () => {
  test("climbs it when its route has nobody left, and the run says so", async () => {
    const { home, run, kit, quick, server } = await machine({
      scenario: scenario([
        coderRule("p1/first", "a * b"),
        coderRule("p2/second", "a / b"),
        coderRule("p3/third", "a + b"),
      ]),
      bindings: { first: "p1/first" },
    });
    writeFiles(join(home, "kit"), {
      "agents/coder.md":
        "---\nname: coder\ndescription: Codes\ncapability: strong-code\nladder: code\n---\nAnswer with blocks.\n",
      "routing.local.yaml": JSON.stringify({
        version: 1,
        backends: { first: {}, more: {}, most: {} },
        capabilities: {
          "strong-code": { primary: "first" },
          "deep-code": { primary: "more", fallback: ["most"] },
        },
        ladders: { code: ["cheap-code", "strong-code", "deep-code"] },
      }),
      "models.local.yaml": JSON.stringify({
        version: 1,
        backends: {
          first: { provider: "p1", model: "first" },
          more: { provider: "p2", model: "second" },
          most: { provider: "p3", model: "third" },
        },
      }),
    });
    const { code, receipt, stderr } = await run(quick);
    expect(code).toBe(0);
    expect(asked(server)).toEqual(["p1/first", "p2/second", "p3/third"]);
    expect(receipt.escalated).toBe(true);
    expect(stderr).toContain('nobody is left for strong-code: up the ladder "code" to deep-code');
    expect((await kit(["show"])).stdout).toContain("up the ladder");
  });
});

describe("twenty tasks through pi, four at a time", () => {
  test("meet the limit of an account once, and all of them end green", async () => {
    const { kit, home, quick, server } = await machine({
      scenario: scenario([
        spent("p1/first").replace("p1/first }", "p1/first, call: { from: 7, to: 99 } }"),
        coderRule("p1/first", "a + b"),
        coderRule("p2/second", "a + b"),
      ]),
      bindings: two,
    });
    const roots = Array.from({ length: 20 }, () => repository(crlfRepository));
    const waiting = [...roots];
    const codes: (number | null)[] = [];
    const worker = async (): Promise<void> => {
      for (let root = waiting.pop(); root !== undefined; root = waiting.pop()) {
        const { code } = await kit(["run", "add(2, 3) must be 5", ...quick], { cwd: root });
        codes.push(code);
      }
    };
    await Promise.all(Array.from({ length: 4 }, worker));
    expect(codes).toEqual(roots.map(() => 0));
    expect(asked(server).filter((model) => model === "p1/first")).toHaveLength(7);
    for (const root of roots)
      expect(readFileSync(join(root, "src/math.js"), "utf8")).toBe(fixedMath);
    const { stdout } = await kit(["quota", "--json"], { cwd: home });
    expect(JSON.parse(stdout)).toMatchObject({
      limits: [{ name: "p1", failure: "usage_limit" }],
      pools: [
        { pool: "p1", calls: 7, limitedCalls: 6, inFlight: 0 },
        { pool: "p2", calls: 14, inFlight: 0 },
      ],
    });
  });
});
