import { join } from "node:path";
import type { ProjectFiles } from "./project-files.ts";
import type { LayerTrust } from "./trust.ts";

/** What the repository's `.kit` says, and whether it takes part. */
export interface ProjectLayerReport {
  /** Absolute. */
  readonly folder: string;
  /** Configuration files in it, absolute, sorted. */
  readonly files: readonly string[];
  readonly used: boolean;
  readonly trust: LayerTrust;
  /** One sentence for people. */
  readonly note: string;
}

/**
 * The project layer as people are told of it; `undefined` where there is no configuration. What
 * is wrong in its files is among the problems of registry, agents and settings.
 */
export function describeProjectLayer(
  { folder, files }: ProjectFiles,
  trust: LayerTrust,
): ProjectLayerReport | undefined {
  if (trust.state === "none") return undefined;
  const count = files.size === 1 ? "1 file" : `${files.size} files`;
  const what = `${folder} holds configuration of this repository (${count})`;
  return {
    folder,
    files: [...files.keys()].map((path) => join(folder, path)).toSorted(),
    used: trust.state === "trusted",
    trust,
    note: `${what}; ${standing(trust)}`,
  };
}

function standing(trust: Exclude<LayerTrust, { state: "none" }>): string {
  if (trust.state === "trusted") return `you trusted it on ${dayOf(trust.since)}, so it is used`;
  if (trust.state === "new") return "it was checked and is not used until you trust it: kit trust";
  if (trust.state === "refused") return `it cannot be trusted (${trust.reasons.join("; ")})`;
  const changes = trust.changes.join(", ");
  return `it changed since you trusted it on ${dayOf(trust.since)} (${changes}), so it is not used: kit trust`;
}

function dayOf(iso: string): string {
  return iso.slice(0, 10);
}
