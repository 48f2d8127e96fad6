import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { git, snapshot } from "../support/repository.ts";
import { coderRule, crlfRepository, machine, scenario, scoutRule } from "./support.ts";
import { survivorsAfter } from "./processes.ts";

const unauthorized = `
  - when: { model: p1/first }
    error: { status: 401, body: { error: { message: "Incorrect API key provided", type: invalid_request_error, code: invalid_api_key } } }
`;

describe("kit run through the real pi", () => {
  test("climbs from a 401 over a wrong change to the right one, telling each what was tried", async () => {
    const { root, home, kit, server } = await machine({
      scenario: scenario([
        scoutRule,
        unauthorized,
        coderRule("p2/second", "a * b"),
        coderRule("p3/third", "a + b"),
      ]),
    });
    const { code, stdout, stderr } = await kit(["run", "--task", "add(2, 3) must be 5", "--json"]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const receipt = JSON.parse(stdout);
    expect(receipt).toMatchObject({
      outcome: "success",
      exitCode: 0,
      escalated: true,
      changedFiles: ["src/math.js"],
      gate: { evidence: "fixed" },
    });
    const coders = receipt.attempts.filter(({ step }: { step: string }) => step === "coder");
    expect(coders.map((attempt: { failure?: { kind: string } }) => attempt.failure?.kind)).toEqual([
      "auth",
      "tests_failed",
      undefined,
    ]);
    const third = server.requests.findLast(({ model }) => model.endsWith("third"))?.prompt ?? "";
    expect(third).toContain("auth");
    expect(third).toContain("tests_failed");
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toBe(
      crlfRepository["src/math.js"].replace("a - b", "a + b"),
    );
    expect(git(root, "status", "--porcelain")).toBe(" M src/math.js\n");
    expect(await survivorsAfter(home, 2_000)).toEqual([]);
  });

  test("leaves tree, index and untracked files byte-identical when every change is wrong", async () => {
    const { root, kit } = await machine({
      scenario: scenario([
        scoutRule,
        coderRule("p1/first", "a * b"),
        coderRule("p2/second", "a / b"),
        coderRule("p3/third", "b - a"),
      ]),
    });
    writeFileSync(join(root, "untracked.txt"), "mine\n");
    writeFileSync(join(root, "staged.txt"), "staged\n");
    git(root, "add", "staged.txt");
    const before = [
      snapshot(root, [".git", ".kit"]),
      readFileSync(join(root, ".git/index")),
      git(root, "rev-parse", "HEAD"),
    ];
    const { code } = await kit(["run", "add(2, 3) must be 5", "--max-attempts", "3"]);
    expect(code).toBe(1);
    expect([
      snapshot(root, [".git", ".kit"]),
      readFileSync(join(root, ".git/index")),
      git(root, "rev-parse", "HEAD"),
    ]).toEqual(before);
  });

  test("shows its steps on stderr, the end on stdout, and takes the change back with undo", async () => {
    const { root, kit } = await machine({
      scenario: scenario([scoutRule, coderRule("p1/first", "a + b")]),
    });
    const before = snapshot(root, [".git", ".kit"]);
    const { code, stdout, stderr } = await kit(["run", "add(2, 3) must be 5"]);
    expect(code).toBe(0);
    expect(stderr).toContain("baseline: red");
    expect(stdout).toContain("The tests are green (red before, green now)");
    expect(stdout).not.toContain("\u001B[");
    expect((await kit(["runs"])).stdout).toContain("success");
    expect((await kit(["undo"])).code).toBe(0);
    expect(snapshot(root, [".git", ".kit"])).toEqual(before);
  });
});

describe("kit run --dry-run", () => {
  test("starts nothing but git and writes nothing, whatever the repository names", async () => {
    const { root, home, kit, server } = await machine({
      files: {
        ...crlfRepository,
        ".kit/kit.yaml":
          "test_commands: [touch /tmp/kit-marker-e2e]\nadapters: { pi: { program: /tmp/kit-marker-pi } }\n",
        ".kit/models.yaml": "version: 1\nbackends: { first: { provider: evil, model: evil } }\n",
      },
      scenario: scenario([scoutRule]),
    });
    const marker = join(home, "marker");
    const trap = join(home, "trap.sh");
    writeFileSync(trap, `#!/bin/sh\ntouch ${marker}\n`);
    chmodSync(trap, 0o755);
    for (const key of [
      "core.fsmonitor",
      "core.pager",
      "diff.external",
      "core.sshCommand",
      "filter.x.clean",
      "filter.x.smudge",
      "diff.x.textconv",
    ]) {
      git(root, "config", key, trap);
    }
    const before = snapshot(root, []);
    const { code, stdout } = await kit(["run", "--dry-run", "--json", "add(2, 3) must be 5"], {
      env: { KIT_PI: trap },
    });
    expect(code).toBe(0);
    const report = JSON.parse(stdout);
    expect(report.routes.coder.candidates.map((each: { backend: string }) => each.backend)).toEqual(
      ["first", "second", "third"],
    );
    expect(report.testCommands).toContainEqual(
      expect.objectContaining({ command: "npm test", runs: true }),
    );
    expect(report.prompts.scout.tokens).toBeGreaterThan(100);
    expect(report.notChecked).not.toEqual([]);
    expect(server.requests).toEqual([]);
    expect(existsSync(marker)).toBe(false);
    expect(snapshot(root, [])).toEqual(before);
  });
});
