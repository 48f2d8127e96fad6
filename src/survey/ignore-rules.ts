import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Ignore } from "ignore";

/** The `.gitignore` files met on a walk. */
export interface IgnoreRules {
  /** Adds the rules of `folder` (relative to `root`); read it before what is in it is asked for. */
  read(root: string, folder: string): Promise<void>;
  ignores(path: string, isFolder: boolean): boolean;
}

/** `ignore` is the field's reading of gitignore; it is loaded only where there is no git. */
export async function ignoreRules(): Promise<IgnoreRules> {
  const { default: ignore } = await import("ignore");
  const byFolder: { readonly prefix: string; readonly rules: Ignore }[] = [];
  return {
    async read(root, folder) {
      const text = await readFile(join(root, folder, ".gitignore"), "utf8").catch(() => "");
      byFolder.push({ prefix: folder === "" ? "" : `${folder}/`, rules: ignore().add(text) });
    },
    ignores(path, isFolder) {
      // The nearest file that says anything wins, as in git.
      for (const { prefix, rules } of byFolder.toReversed()) {
        if (!path.startsWith(prefix)) continue;
        const { ignored, unignored } = rules.test(
          path.slice(prefix.length) + (isFolder ? "/" : ""),
        );
        if (ignored || unignored) return ignored;
      }
      return false;
    },
  };
}
