import { expect, test } from "vitest";
import { repoPath } from "../../src/contracts/index.ts";
import { commandText, steady } from "../../src/gate/index.ts";
import { judgeNarrowly, type NarrowTrial } from "../../src/pipeline/narrow-trial.ts";
import { runReally } from "../gate/support.ts";
import { repository, writeFiles } from "../support/repository.ts";

const suite = (name: string): string =>
  `import { test } from "node:test"; import assert from "node:assert";
import { ${name} } from "../src/${name}.js";
test("${name}", () => assert.equal(${name}, 1));
`;

const files = {
  "package.json": '{"type":"module"}',
  "src/a.js": "export const a = 1;\n",
  "src/b.js": "export const b = 1;\n",
  "test/a.test.js": suite("a"),
  "test/b.test.js": suite("b"),
};

/** A real suite, of which the untouched tree is said to take `seconds`; what runs is written down. */
async function trialOf(
  change: Readonly<Record<string, string>>,
  { seconds = 60, tree = {} }: { seconds?: number; tree?: Readonly<Record<string, string>> } = {},
): Promise<{ trial: NarrowTrial; ran: string[] }> {
  const root = repository({ ...files, ...tree });
  const found = await runReally(root, ["node --test"]);
  const slow = found.commands.map((each) => ({ ...each, durationMs: seconds * 1_000 }));
  writeFiles(root, change);
  const ran: string[] = [];
  const test: NarrowTrial["test"] = async (_plan, name, commands = []) => {
    ran.push(`${name}: ${commands.map(commandText).join(", ")}`);
    return { ok: true, result: await runReally(root, commands) };
  };
  const operations = Object.entries(change).map(([path, text]) => {
    const after = Buffer.from(text);
    return { kind: "create" as const, path: repoPath(path), after };
  });
  const plan = { operations } as unknown as NarrowTrial["plan"];
  const commands = slow.map(({ command }) => command);
  const ground = { result: { ...found, commands: slow }, unsteady: steady };
  const record: NarrowTrial["record"] = { observe: (_key, look) => look() };
  return { trial: { plan, commands, ground, root, test, record }, ran };
}

test("a slow suite is spared where the tests beside the change are red twice", async () => {
  const { trial, ran } = await trialOf({ "src/a.js": "export const a = 2;\n" });

  const judged = await judgeNarrowly(trial);

  expect(ran).toEqual([
    "narrow-1: node --test ./test/a.test.js",
    "narrow-again-1: node --test ./test/a.test.js",
  ]);
  expect(judged).toMatchObject({
    ok: true,
    verdict: { kind: "regressed", accepted: false, basis: "tests" },
  });
  expect(judged?.ok === true && judged.verdict.summary).toMatch(
    /test\/a\.test\.js › a.*\(node --test \.\/test\/a\.test\.js\)$/,
  );
});

test("a red that was red before is still red", async () => {
  const tree = { "src/a.js": "export const a = 0;\n" };
  const { trial } = await trialOf({ "src/a.js": "export const a = 2;\n" }, { tree });
  expect(await judgeNarrowly(trial)).toMatchObject({ verdict: { kind: "unchanged_red" } });
});

test("a green leaves the judgement to the whole suite, and so does a flaky red", async () => {
  const { trial, ran } = await trialOf({ "src/a.js": "export const a = 1; // still\n" });
  expect(await judgeNarrowly(trial)).toBeUndefined();
  expect(ran).toHaveLength(1);

  const flaky = `import { existsSync, writeFileSync } from "node:fs";
export const a = existsSync("seen") ? 1 : 2;
writeFileSync("seen", "");
`;
  const other = await trialOf({ "src/a.js": flaky });
  expect(await judgeNarrowly(other.trial)).toBeUndefined();
  expect(other.ran).toHaveLength(2);
});

test("a fast suite, and a change that no test is named after, run whole at once", async () => {
  const fast = await trialOf({ "src/a.js": "export const a = 2;\n" }, { seconds: 1 });
  expect(await judgeNarrowly(fast.trial)).toBeUndefined();
  const unknown = await trialOf({ "src/c.js": "export const c = 2;\n" });
  expect(await judgeNarrowly(unknown.trial)).toBeUndefined();
  expect([...fast.ran, ...unknown.ran]).toEqual([]);
});
