import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readLiveSettings, replaceSettings } from "../../src/pi-settings/index.ts";
import { temporaryFolder, writeFiles } from "../support/repository.ts";
import { settingsOf } from "./support.ts";

const at = new Date("2026-11-30T12:00:01.500Z");
const copy = "settings.json.before-kit-2026-11-30T120001Z";

test("the old file stays beside the new one, with its mode, and nothing else does", async () => {
  const { folder, file } = await settingsOf('{"a":1}');
  chmodSync(file, 0o600);
  const live = await readLiveSettings(folder);

  const replaced = await replaceSettings(live, '{"a":2}', at);

  expect(replaced).toEqual({ file, backup: join(folder, copy) });
  expect(readdirSync(folder).sort()).toEqual(["settings.json", copy]);
  expect(readFileSync(file, "utf8")).toBe('{"a":2}');
  expect(readFileSync(join(folder, copy), "utf8")).toBe('{"a":1}');
  expect([file, join(folder, copy)].map((each) => statSync(each).mode & 0o777)).toEqual([
    0o600, 0o600,
  ]);
});

test("no copy overwrites another of the same second", async () => {
  const { folder } = await settingsOf("{}");
  for (const text of ["{}", '{"a":1}']) {
    writeFiles(folder, { "settings.json": text });
    await replaceSettings(await readLiveSettings(folder), `${text}\n`, at);
  }

  expect(readFileSync(join(folder, copy), "utf8")).toBe("{}");
  expect(readFileSync(join(folder, `${copy}-2`), "utf8")).toBe('{"a":1}');
});

test("settings that are not there yet are made, with their folder", async () => {
  const folder = join(temporaryFolder(), "pi", "agent");
  const live = await readLiveSettings(folder);

  expect(await replaceSettings(live, "{}", at)).toEqual({ file: join(folder, "settings.json") });
  expect(readdirSync(folder)).toEqual(["settings.json"]);
});

test("a link stays a link, and its file is written", async () => {
  const [folder, dotfiles] = [temporaryFolder(), temporaryFolder()];
  writeFiles(dotfiles, { "pi.json": "{}" });
  symlinkSync(join(dotfiles, "pi.json"), join(folder, "settings.json"));

  await replaceSettings(await readLiveSettings(folder), '{"a":2}', at);

  expect(lstatSync(join(folder, "settings.json")).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(dotfiles, "pi.json"), "utf8")).toBe('{"a":2}');
});

test.each(['{"theme":"light"}', undefined])(
  "a file that is %j by now is left alone, without a copy",
  async (now) => {
    const folder = temporaryFolder();
    if (now === undefined) writeFiles(folder, { "settings.json": "{}" });
    const live = await readLiveSettings(folder);
    writeFiles(folder, { "settings.json": now ?? '{"new":1}' });

    await expect(replaceSettings(live, "{}", at)).rejects.toMatchObject({ kind: "conflict" });

    expect(readdirSync(folder)).toEqual(["settings.json"]);
    expect(readFileSync(join(folder, "settings.json"), "utf8")).toBe(now ?? '{"new":1}');
  },
);

test("while pi holds its lock nothing is written", async () => {
  const { folder, file, live } = await settingsOf("{}");
  mkdirSync(`${file}.lock`);

  await expect(replaceSettings(live, '{"a":2}', at)).rejects.toThrow(/pi is writing its settings/);

  expect(readdirSync(folder).sort()).toEqual(["settings.json", "settings.json.lock"]);
});
