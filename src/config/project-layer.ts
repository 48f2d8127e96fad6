import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { LayerFolder } from "../contracts/index.ts";

/** What the repository's `.kit` says, none of which takes part in this version. */
export interface ProjectLayerReport {
  /** Absolute. */
  readonly folder: string;
  /** Configuration files in it, absolute, sorted. */
  readonly files: readonly string[];
  readonly used: false;
  /** One sentence for people. */
  readonly note: string;
}

const configurationFile = /^(routing|models|kit)(\.local)?\.(yaml|yml|json)$/;

/**
 * The configuration files of the project layer; `undefined` when there are none (`.kit/runs` is
 * no configuration). What is wrong in them is among the problems of registry, agents and settings.
 */
export async function inspectProjectLayer(
  layers: readonly LayerFolder[],
): Promise<ProjectLayerReport | undefined> {
  const layer = layers.find((candidate) => candidate.layer === "project");
  if (layer === undefined) return undefined;
  const top = await readdir(layer.folder).catch(() => []);
  const agents = await readdir(join(layer.folder, "agents")).catch(() => []);
  const files = [
    ...agents
      .filter((name) => name.endsWith(".md") && name.toLowerCase() !== "readme.md")
      .map((name) => join(layer.folder, "agents", name)),
    ...top.filter((name) => configurationFile.test(name)).map((name) => join(layer.folder, name)),
  ].sort();
  if (files.length === 0) return undefined;
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  return {
    folder: layer.folder,
    files,
    used: false,
    note: `${layer.folder} holds configuration of this repository (${count}); it was checked and is not used in this version`,
  };
}
