import { basename, join, relative } from "node:path";
import type { TestCommand } from "../../contracts/index.ts";
import { scriptTexts, targetText } from "./manifest-rules.ts";
import { readManifest } from "./manifest-text.ts";

/** What a manifest's test command runs, as the manifest has it now. */
export interface ManifestScript {
  /** Relative to the root: `packages/a/package.json`. */
  readonly manifest: string;
  /** The scripts or rules that the command starts, as they are written. */
  readonly text: string;
}

/** Manifests that say what their command runs; `cargo test` and the like are what they say. */
const readers: readonly {
  readonly files: RegExp;
  readonly read: (text: string) => string;
}[] = [
  { files: /^package\.json$/, read: (text) => scriptTexts(text, []).join("\n") },
  { files: /^(?:GNUmakefile|[Mm]akefile)$/, read: (text) => targetText(text, ["test"]) },
  { files: /^tox\.ini$/, read: (text) => text.trim() },
];

/**
 * What a command of a manifest convention runs; undefined where its name says that already, and
 * for commands of other sources.
 *
 * @param root absolute top level of the repository, links resolved
 */
export async function manifestScript(
  { source }: TestCommand,
  root: string,
): Promise<ManifestScript | undefined> {
  if (source.kind !== "manifest") return undefined;
  const reader = readers.find(({ files }) => files.test(basename(source.file)));
  if (reader === undefined) return undefined;
  const text = await readManifest(join(source.file), root);
  if (text === undefined) return undefined;
  return { manifest: relative(root, source.file), text: reader.read(text) };
}
