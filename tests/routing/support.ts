import { join } from "node:path";
import type { LayerFolder, Registry } from "../../src/contracts/index.ts";
import { loadRegistry } from "../../src/routing/index.ts";
import { temporaryFolder, writeFiles } from "../support/repository.ts";

/** Files by layer, their paths inside the layer's folder; objects are written as JSON. */
export interface LayerFiles {
  readonly shipped?: Record<string, unknown>;
  readonly user?: Record<string, unknown>;
  readonly project?: Record<string, unknown>;
}

/** Writes the files into fresh folders, one a layer. */
export function layersOf(files: LayerFiles): readonly LayerFolder[] {
  const root = temporaryFolder();
  return (["shipped", "user", "project"] as const).map((layer) => {
    const folder = join(root, layer);
    const texts = Object.entries(files[layer] ?? {}).map(([path, content]) => [
      path,
      typeof content === "string" ? content : JSON.stringify(content, null, 2),
    ]);
    writeFiles(folder, Object.fromEntries(texts) as Record<string, string>);
    return { layer, folder };
  });
}

/** The registry of such files. */
export function registryOf(files: LayerFiles, ...modelFlags: string[]): Promise<Registry> {
  return loadRegistry({ layers: layersOf(files), modelFlags });
}

/** Problems as `severity file:line:column key`, files by name alone. */
export function problemLines(registry: Pick<Registry, "problems">): readonly string[] {
  return registry.problems.map(({ severity, place, key }) => {
    const file = place.file.split("/").at(-1);
    return `${severity} ${file}:${place.line}:${place.column} ${key ?? ""}`.trim();
  });
}

/** A small registry: two backends, two capabilities that use both. */
export const shipped = {
  "routing/routing.yaml": {
    version: 1,
    backends: { cheap: { description: "Small" }, strong: { vision: true } },
    capabilities: {
      "cheap-code": { description: "Reads", primary: "cheap", fallback: ["strong"] },
      "strong-code": { primary: "strong", fallback: ["cheap"] },
    },
  },
};
