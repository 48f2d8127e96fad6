import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { runnerSections } from "../commands/manifest-rules.ts";
import { readManifest } from "../commands/manifest-text.ts";
import { isRunnerConfiguration } from "./test-files.ts";

/** Keys of runner configurations whose value is a file that runs before, around or for the tests. */
const keys =
  "globalSetup|globalTeardown|globalSetupFile|setupFiles\\w*|setupFile|testEnvironment|snapshotSerializers|runner|reporters?|require|resolver|transform|import|workspace|preset";

/** A key with a quoted value, a list or a block of them, as JavaScript and JSON write it. */
const quotedValue = new RegExp(
  `["']?\\b(?:${keys})\\b["']?\\s*:\\s*(\\[[^\\]]*\\]|\\{[^}]*\\}|["'\`][^"'\`\\n]+["'\`])`,
  "g",
);

/** The same in YAML: on its line, or as a list below. */
const plainValue = new RegExp(`^(?:${keys}):[ \\t]*(\\S.*)?((?:\\n[ \\t]*- .*)*)`, "gm");

/**
 * Names that the runner configurations of a folder give for files around the tests, as written
 * there: they may be packages, or no files at all.
 * @param folder absolute. @param root absolute top level of the repository, links resolved.
 */
export async function configuredFiles(folder: string, root: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const found: string[] = [];
  for (const name of names) {
    const isManifest = name === "package.json";
    if (!isManifest && !isRunnerConfiguration(name) && !/^vite\.config\.\w+$/.test(name)) continue;
    const text = await readManifest(join(folder, name), root);
    if (text !== undefined) found.push(...namesIn(isManifest ? runnerSections(text) : text));
  }
  return found;
}

function namesIn(text: string): readonly string[] {
  const found: string[] = [];
  for (const [, value = ""] of text.matchAll(quotedValue)) {
    for (const [, name = ""] of value.matchAll(/["'`]([^"'`\n]+)["'`]/g)) found.push(name);
  }
  for (const [, inline = "", list = ""] of text.matchAll(plainValue)) {
    found.push(inline, ...list.split("\n").map((line) => line.replace(/^\s*- /, "")));
  }
  return found
    .map((name) =>
      name
        .trim()
        .replaceAll(/^["']|["']$/g, "")
        .replace(/^<rootDir>\//, "./"),
    )
    .filter((name) => name !== "" && !/[\s*{[]/.test(name));
}
