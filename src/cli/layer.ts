import {
  layerTrust,
  type LayerTrust,
  type ProjectFiles,
  readProjectFiles,
  type TrustRecord,
  trustStore,
} from "../config/index.ts";
import { userStateFolder } from "../lib/user-folders.ts";
import type { Io } from "./io.ts";

/** The project layer of a repository as it was read once, and how it stands with the user. */
export interface OpenLayer {
  readonly content: ProjectFiles;
  readonly trust: LayerTrust;
  /** What the user trusts of this repository; absent: nothing. */
  readonly record: TrustRecord | undefined;
}

/** Reads the project layer and the user's trust; writes nothing, asks nobody. */
export async function openLayer(root: string, { env }: Pick<Io, "env">): Promise<OpenLayer> {
  const [content, record] = await Promise.all([
    readProjectFiles(root),
    trustStore(userStateFolder(env)).read(root),
  ]);
  return { content, trust: layerTrust(content, record), record };
}

/** The layer as the rooms read it. */
export function layerFiles({ content, trust }: OpenLayer): {
  readonly files: ProjectFiles["files"];
  readonly trusted?: true;
} {
  return { files: content.files, ...(trust.state === "trusted" && { trusted: true }) };
}

/** How a layer stands, for `--json`. */
export function standingDocument(trust: LayerTrust): Readonly<Record<string, unknown>> {
  return {
    state: trust.state,
    changes: trust.state === "changed" ? trust.changes : [],
    reasons: trust.state === "refused" ? trust.reasons : [],
  };
}
