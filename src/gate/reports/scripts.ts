import { dirname, join } from "node:path";
import { isInside } from "../../lib/files.ts";
import { readManifest } from "../commands/manifest-text.ts";

/** Scripts of the package.json that a package manager reads in `cwd`: the nearest up to the root. */
export async function scriptsFor(
  cwd: string,
  root: string,
): Promise<Readonly<Record<string, string>>> {
  for (let folder = cwd; isInside(root, folder); folder = dirname(folder)) {
    const text = await readManifest(join(folder, "package.json"), root);
    if (text !== undefined) return scriptsOf(text);
    if (folder === dirname(folder)) break;
  }
  return {};
}

function scriptsOf(text: string): Readonly<Record<string, string>> {
  try {
    const manifest = JSON.parse(text.replace(/^\uFEFF/, "")) as { scripts?: unknown } | null;
    const entries = Object.entries((manifest?.scripts ?? {}) as Record<string, unknown>);
    return Object.fromEntries(
      entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    );
  } catch {
    return {};
  }
}
