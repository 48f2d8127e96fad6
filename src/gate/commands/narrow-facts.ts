import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestCommand } from "../../contracts/index.ts";
import { readManifest } from "./manifest-text.ts";
import { narrowCommand } from "./narrow.ts";
import { scriptsFor } from "../reports/scripts.ts";

/**
 * `narrowCommand` with what the tree says now.
 * @param changed paths of files that the change writes, relative to `root`.
 * @param root absolute top level of the repository, links resolved.
 */
export async function narrowedCommand(
  command: TestCommand,
  changed: readonly string[],
  root: string,
): Promise<TestCommand | undefined> {
  const manifests = new Map<string, string | undefined>();
  for (const folder of new Set(changed.flatMap(foldersAbove))) {
    const path = `${folder}/Cargo.toml`;
    manifests.set(path, await readManifest(join(root, path), root));
  }
  return narrowCommand(command, changed, {
    root,
    scripts: await scriptsFor(command.cwd, root),
    isFile: (path) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true,
    manifest: (path) => manifests.get(path),
  });
}

function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = dirname(path); at !== "." && at !== "/"; at = dirname(at)) folders.push(at);
  return folders;
}
