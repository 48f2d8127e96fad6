import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compareOverrides, mergeOverrides, readLiveSettings } from "../../src/pi-settings/index.ts";
import { temporaryFolder, writeFiles } from "../support/repository.ts";
import { change, settingsOf } from "./support.ts";

const scout = change("scout", "add", "acme/small", "low");

test("every other key, its order and its layout stay as they were", async () => {
  const text = [
    "{",
    '    "theme": "dark",',
    '    "packages": [ "npm:a", "npm:b" ],',
    '    "subagents": {',
    '        "defaultModel": "acme/any",',
    '        "agentOverrides": {',
    '            "mine": { "model":"acme/mine" },',
    '            "scout": {',
    '                "tools": [ "read" ],',
    '                "model": "old/one"',
    "            }",
    "        }",
    "    },",
    '    "zoom": 1.50',
    "}",
    "",
  ].join("\r\n");
  const { live } = await settingsOf(text);

  const merged = mergeOverrides(live, [
    change("scout", "update", "acme/small", "low"),
    change("coder", "add", "acme/large"),
  ]);

  expect(merged).toBe(
    [
      "{",
      '    "theme": "dark",',
      '    "packages": [ "npm:a", "npm:b" ],',
      '    "subagents": {',
      '        "defaultModel": "acme/any",',
      '        "agentOverrides": {',
      '            "mine": { "model":"acme/mine" },',
      '            "scout": {',
      '                "tools": [ "read" ],',
      '                "model": "acme/small",',
      '                "thinking": "low"',
      "            },",
      '            "coder": {',
      '                "model": "acme/large"',
      "            }",
      "        }",
      "    },",
      '    "zoom": 1.50',
      "}",
      "",
    ].join("\r\n"),
  );
});

test("comments and trailing commas are kept", async () => {
  const { live } = await settingsOf('{\n\t// mine\n\t"theme": "dark", /* too */\n}\n');

  const merged = mergeOverrides(live, [scout]);

  expect(live.hasComments).toBe(true);
  expect(merged).toContain('\t// mine\n\t"theme": "dark",');
  expect(merged).toContain("/* too */");
  expect(merged).toContain('\t\t\t"scout": {\n');
});

test("a byte order mark stays", async () => {
  const { live } = await settingsOf('\uFEFF{"theme":"dark"}');

  expect(mergeOverrides(live, [scout]).startsWith("\uFEFF{")).toBe(true);
});

test.each([
  ["a key that stands there twice", '{"subagents":{},"subagents":{"x":1}}', "add"],
  ["an override that is no object", '{"subagents":{"agentOverrides":{"scout":"fast"}}}', "update"],
] as const)("%s is left to the user", async (_what, text, state) => {
  const { live } = await settingsOf(text);

  expect(() => mergeOverrides(live, [change("scout", state, "acme/small")])).toThrow(
    /cannot be changed safely/,
  );
});

test("whatever the settings hold, they are the same afterwards but for the block", async () => {
  const folder = temporaryFolder();
  const key = fc.oneof(
    fc.constantFrom("subagents", "agentOverrides", "scout", "a b", ""),
    fc.string(),
  );
  const values = fc.dictionary(key, fc.jsonValue(), { maxKeys: 5 });
  const overrides = fc.dictionary(
    fc.constantFrom("scout", "coder", "other"),
    fc.dictionary(fc.constantFrom("model", "thinking", "tools"), fc.jsonValue()),
  );
  const settings = fc.oneof(
    values.filter((each) => !("subagents" in each)),
    fc.record({ before: values, agentOverrides: overrides }).map((each) => {
      return { ...each.before, subagents: { keep: 1, agentOverrides: each.agentOverrides } };
    }),
  );
  const indents = fc.constantFrom(undefined, 2, 3, "\t");
  await fc.assert(
    fc.asyncProperty(settings, indents, async (before, indent) => {
      writeFiles(folder, { "settings.json": JSON.stringify(before, null, indent) });
      const live = await readLiveSettings(folder);
      const proposed = [change("scout", "add", "acme/small", "low"), change("coder", "add", "b/c")];
      const changes = compareOverrides(proposed, live);

      writeFiles(folder, { "settings.json": mergeOverrides(live, changes) });
      const after = await readLiveSettings(folder);

      const states = compareOverrides(proposed, after).map(({ state }) => state);
      expect(states).toEqual(["same", "same"]);
      const others = (from: Readonly<Record<string, unknown>>): [string, unknown][] =>
        Object.entries(from).filter(([name]) => name !== "subagents");
      expect(others(after.settings)).toEqual(others(live.settings));
      expect(after.overrides["other"]).toEqual(live.overrides["other"]);
    }),
    { numRuns: 40 },
  );
});
