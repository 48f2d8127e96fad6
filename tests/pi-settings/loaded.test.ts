import { expect, test } from "vitest";
import { agentFiles, judgeLoaded, type LoadedCommand } from "../../src/pi-settings/index.ts";
import { temporaryFolder, writeFiles } from "../support/repository.ts";
import { change } from "./support.ts";

const extension = (name: string, path: string): LoadedCommand => ({
  name,
  source: "extension",
  path,
});
const kit = extension("kit", "/opt/capkit/adapters/pi/extension/index.ts");
const skill: LoadedCommand = {
  name: "skill:kit",
  source: "skill",
  path: "/opt/capkit/adapters/pi/skills/kit/SKILL.md",
};
const subagents = extension("run", "/npm/node_modules/pi-subagents/index.ts");
const nothing = { packageRoot: "/opt/capkit", changes: [], files: [], bundled: [] };

test.each([
  ["loaded", "loaded", [kit, skill]],
  ["missing", "missing", [extension("kitchen", "/x/index.ts")]],
  ["twice", "loaded", [{ ...kit, name: "kit:1" }, { ...kit, name: "kit:2" }, skill]],
  ["foreign", "foreign", [extension("kit", "/x/kit.ts"), { ...skill, path: "/x/SKILL.md" }]],
] as const)("the extension is %s and the skill %s", (first, second, commands) => {
  const parts = judgeLoaded({ ...nothing, commands });

  expect(parts.map(({ state }) => state)).toEqual([first, second]);
  expect(parts.every(({ state, next }) => (state === "loaded") === (next === undefined))).toBe(
    true,
  );
});

test("agents whose model is set are looked for where pi's subagents look", () => {
  const files = [
    { name: "two", file: "/pi/agents/a.md" },
    { name: "two", file: "/pi/agents/b.md" },
  ];
  const bundled = [{ name: "scout", file: "/npm/pi-subagents/agents/scout.md" }];
  const changes = [
    change("scout", "same", "a/b"),
    change("coder", "same", "a/b"),
    change("old", "update", "a/b"),
    change("new", "add", "a/b"),
    change("two", "same", "a/b"),
  ];

  const parts = judgeLoaded({ ...nothing, commands: [subagents], changes, files, bundled });

  expect(parts.slice(2).map(({ name, state }) => [name, state])).toEqual([
    ["pi-subagents", "loaded"],
    ["scout", "loaded"],
    ["coder", "unused"],
    ["old", "stale"],
    ["new", "unset"],
    ["two", "twice"],
  ]);
});

test("what reads the settings is asked for once something was applied", () => {
  const kinds = (state: "add" | "same"): string[] =>
    judgeLoaded({ ...nothing, commands: [], changes: [change("scout", state, "a/b")] }).map(
      ({ kind, state: found }) => `${kind} ${found}`,
    );

  expect(kinds("add")).not.toContain("subagents missing");
  expect(kinds("same")).toContain("subagents missing");
});

test("agent files are known by the name in their head", async () => {
  const folder = temporaryFolder();
  writeFiles(folder, {
    "agents/a.md": "---\nname: scout\n---\nname: no\n",
    "agents/deep/b.md": '---\r\ndescription: x\r\nname: "coder"\r\n---\r\n',
    "agents/c.chain.md": "---\nname: chain\n---\n",
    "agents/d.md": "no head\nname: none\n",
  });

  expect((await agentFiles(folder)).map(({ name }) => name)).toEqual(["scout", "coder"]);
  expect(await agentFiles(temporaryFolder())).toEqual([]);
});
