import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { piAgentFolder, readLiveSettings } from "../../src/pi-settings/index.ts";
import { temporaryFolder, writeFiles } from "../support/repository.ts";

test("pi's folder is found as pi finds it", () => {
  expect(piAgentFolder({ HOME: "/home/ada" })).toBe("/home/ada/.pi/agent");
  expect(piAgentFolder({ HOME: "/home/ada", PI_CODING_AGENT_DIR: "~/pi" })).toBe("/home/ada/pi");
  expect(piAgentFolder({ HOME: "/home/ada", PI_CODING_AGENT_DIR: "/x" })).toBe("/x");
});

test.each(["", "\n", undefined])("a file that holds %j is settings without a key", async (text) => {
  const folder = temporaryFolder();
  if (text !== undefined) writeFiles(folder, { "settings.json": text });

  const live = await readLiveSettings(folder);

  expect(live).toMatchObject({ settings: {}, overrides: {}, hasComments: false });
  expect(live.hash === undefined).toBe(text === undefined);
});

test.each([
  ["no JSON", '{\n  "theme": dark\n}', { line: 2, column: 12 }],
  ["a list", "[]", {}],
  ["a block that is no object", '{"subagents":{"agentOverrides":[]}}', {}],
])("%s is refused with its place", async (_what, text, place) => {
  const folder = temporaryFolder();
  writeFiles(folder, { "settings.json": text });

  await expect(readLiveSettings(folder)).rejects.toMatchObject({
    kind: "configuration",
    problems: [{ place: { file: join(folder, "settings.json"), ...place } }],
  });
});

test("bytes that are no UTF-8 are refused", async () => {
  const folder = temporaryFolder();
  writeFiles(folder, { "settings.json": Buffer.from([0x7b, 0xff, 0x7d]) });

  await expect(readLiveSettings(folder)).rejects.toThrow(/not UTF-8/);
});

test("a link is followed to the file that a change is written to", async () => {
  const [folder, dotfiles] = [temporaryFolder(), temporaryFolder()];
  writeFiles(dotfiles, { "pi.json": "{}" });
  symlinkSync(join(dotfiles, "pi.json"), join(folder, "settings.json"));

  const { target } = await readLiveSettings(folder);

  expect(target).toBe(join(dotfiles, "pi.json"));
});

test("a link to nowhere is refused: its place would be taken by a file", async () => {
  const folder = temporaryFolder();
  symlinkSync(join(folder, "gone.json"), join(folder, "settings.json"));

  await expect(readLiveSettings(folder)).rejects.toThrow(/a link to nowhere/);
});
