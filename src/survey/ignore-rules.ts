import type { Ignore } from "ignore";
import type { RepositoryReader } from "./reading.ts";

/** A larger one is not read; the largest collections of rules have some 10 KB. */
const maxFileBytes = 1024 * 1024;

/** The `.gitignore` files met on a walk. */
export interface IgnoreRules {
  /**
   * Adds the rules of `folder` (of the repository); read it before what is in it is asked for.
   * As in git, a link says nothing, and neither does a pipe or a device.
   */
  read(reader: RepositoryReader, folder: string): void;
  ignores(path: string, isFolder: boolean): boolean;
}

/** `ignore` is the field's reading of gitignore; it is loaded only where there is no git. */
export async function ignoreRules(): Promise<IgnoreRules> {
  const { default: ignore } = await import("ignore");
  const byFolder: { readonly prefix: string; readonly rules: Ignore }[] = [];
  return {
    read(reader, folder) {
      const prefix = folder === "" ? "" : `${folder}/`;
      const file = reader.read(`${prefix}.gitignore`, maxFileBytes);
      if (file.ok) byFolder.push({ prefix, rules: ignore().add(file.bytes.toString("utf8")) });
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
