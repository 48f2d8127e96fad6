import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CommandResult, GateResult, TestCommand } from "../../src/contracts/index.ts";
import { openBaselineCache } from "../../src/pipeline/baseline-cache.ts";
import type { Ground } from "../../src/pipeline/ground.ts";
import { openGit } from "../../src/lib/git.ts";
import { git, repository } from "../support/repository.ts";

const command = (root: string, shell = "npm test"): TestCommand => ({
  command: { shell },
  cwd: root,
  source: { kind: "flag" },
  trusted: true,
});

async function cacheIn(
  root: string,
  over: { shell?: string; PATH?: string; settings?: string } = {},
) {
  const repository = await openGit(root);
  return openBaselineCache({
    root,
    ...(repository && { git: repository }),
    recordFolder: join(root, ".kit/runs/1"),
    commands: [command(root, over.shell)],
    environment: { PATH: over.PATH ?? "/usr/bin" },
    passEnvironment: [],
    settings: over.settings ?? "s",
  });
}

async function known(...tree: Parameters<typeof cacheIn>): Promise<GateResult | undefined> {
  return (await cacheIn(...tree)).find();
}

function ground(root: string, over: Partial<CommandResult> & Partial<Ground> = {}): Ground {
  const { unsteady = { tests: new Set<string>(), commands: new Set<number>() }, ...rest } = over;
  const result: CommandResult = {
    command: command(root),
    ended: { by: "exit", code: 1 },
    durationMs: 5_000,
    output: "red",
    outputBytes: 3,
    tests: [{ id: "adds", status: "failed" }],
    ...rest,
  };
  const gate: GateResult = { commands: [result], tests: result.tests, green: false, withheld: [] };
  return { result: gate, unsteady };
}

async function keep(root: string, over: Parameters<typeof ground>[1] = {}): Promise<void> {
  const cache = await cacheIn(root);
  cache.watch();
  await cache.keep(ground(root, over));
}

const files = { "a.js": "1\n", ".gitignore": ".kit\nnode_modules\nout\n" };

function tree(): string {
  const root = repository(files);
  writeFileSync(join(root, "new.js"), "2\n");
  mkdirSync(join(root, ".kit/runs/1"), { recursive: true });
  return root;
}

describe("the baseline of an untouched tree", () => {
  test("is known the next time, to the byte of its output and test by test", async () => {
    const root = tree();
    expect(await known(root)).toBeUndefined();
    await keep(root);

    expect(await known(root)).toEqual(ground(root).result);
  });

  test("is not known for another tree, command, toolchain or setting", async () => {
    const root = tree();
    await keep(root);

    expect(await known(root, { shell: "npm run other" })).toBeUndefined();
    expect(await known(root, { PATH: "/nowhere" })).toBeUndefined();
    expect(await known(root, { settings: "t" })).toBeUndefined();
    writeFileSync(join(root, "out"), "ignored");
    expect(await known(root)).toBeDefined();
    writeFileSync(join(root, "new.js"), "3\n");
    expect(await known(root)).toBeUndefined();
    writeFileSync(join(root, "new.js"), "2\n");
    writeFileSync(join(root, "a.js"), "2\n");
    expect(await known(root)).toBeUndefined();
  });

  test.each([
    ["that was flaky", { unsteady: { tests: new Set(["0 adds"]), commands: new Set<number>() } }],
    ["that was stopped", { ended: { by: "deadline", afterMs: 5_000 } as const }],
    ["of a quick suite", { durationMs: 10 }],
  ])("is not remembered where it is one %s", async (_, over) => {
    const root = tree();
    await keep(root, over);

    expect(existsSync(join(root, ".kit/cache"))).toBe(false);
  });

  test("is not remembered where the tree moved meanwhile", async () => {
    const root = tree();
    await keep(root);
    writeFileSync(join(root, "a.js"), "as the tests began\n");
    const cache = await cacheIn(root);
    await cache.find();
    writeFileSync(join(root, "a.js"), "moved\n");
    await cache.keep(ground(root));

    expect(await known(root)).toBeUndefined();
  });

  test("is not taken from a repository that brings one", async () => {
    const root = tree();
    await keep(root);
    git(root, "add", "-f", ".kit/cache");

    expect(await known(root)).toBeUndefined();
  });

  test("is remembered for the last few trees only", async () => {
    const root = tree();
    for (let nth = 0; nth < 10; nth += 1) {
      writeFileSync(join(root, "a.js"), `${nth}\n`);
      await keep(root);
    }

    expect(readdirSync(join(root, ".kit/cache/baseline-1"))).toHaveLength(8);
  });
});
