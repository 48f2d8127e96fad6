import { sha256 } from "../lib/text.ts";
import type { ProjectFiles } from "./project-files.ts";
import type { TrustRecord } from "./trust-store.ts";

/** How a project layer stands with the user. */
export type LayerTrust =
  /** There is no configuration. */
  | { readonly state: "none" }
  /** Nobody said yes to it. */
  | { readonly state: "new" }
  | { readonly state: "trusted"; readonly since: string }
  /** It was trusted and is another one now; `changes` say what: `kit.yaml changed`. */
  | { readonly state: "changed"; readonly since: string; readonly changes: readonly string[] }
  /** Nobody can say yes to it; `reasons` name the files. */
  | { readonly state: "refused"; readonly reasons: readonly string[] };

/** Holds the layer against what the user trusted: every file, its name and its content. */
export function layerTrust(
  { files }: ProjectFiles,
  record: Pick<TrustRecord, "layer"> | undefined,
): LayerTrust {
  if (files.size === 0) return { state: "none" };
  const reasons = [...files].flatMap(([path, content]) =>
    content.kind === "unreadable" ? [`.kit/${path}: ${content.reason}`] : [],
  );
  if (reasons.length > 0) return { state: "refused", reasons };
  const trusted = record?.layer;
  if (trusted === undefined) return { state: "new" };
  const changes = changesBetween(trusted.files, fileHashes({ files }));
  return changes.length === 0
    ? { state: "trusted", since: trusted.since }
    : { state: "changed", since: trusted.since, changes };
}

/** SHA-256 of each file by its path below `.kit`. */
export function fileHashes({ files }: Pick<ProjectFiles, "files">): Record<string, string> {
  return Object.fromEntries(
    [...files].flatMap(([path, content]) =>
      content.kind === "bytes" ? [[path, sha256(content.bytes)]] : [],
    ),
  );
}

function changesBetween(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): readonly string[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])].toSorted();
  return paths.flatMap((path) => {
    const was = Object.hasOwn(before, path) ? before[path] : undefined;
    const is = Object.hasOwn(now, path) ? now[path] : undefined;
    if (was === is) return [];
    if (was === undefined) return [`${path} is new`];
    return [is === undefined ? `${path} is gone` : `${path} changed`];
  });
}
