import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { KitError, type LayerFolder } from "../contracts/index.ts";
import { userConfigFolder } from "../lib/user-folders.ts";

/** What decides where the layers are. */
export interface LayerRequest {
  /** Absolute; see `packageRoot`. */
  readonly packageRoot: string;
  /** The git top level, or the folder given. */
  readonly repositoryRoot: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The project layer as it was read, and whether the user trusts it; absent: it stays on disk. */
  readonly project?: Pick<LayerFolder, "files" | "trusted">;
}

/**
 * The folder of the installed package, from `import.meta.url` of any of its modules: the nearest
 * one above that holds `routing/routing.yaml`, so it is the same in the sources and in the bundle.
 * @throws KitError `environment` when the package lost its files.
 */
export function packageRoot(moduleUrl: string): string {
  let folder = dirname(fileURLToPath(moduleUrl));
  while (!existsSync(join(folder, "routing", "routing.yaml"))) {
    const parent = dirname(folder);
    if (parent === folder) {
      throw new KitError("environment", "kit's own files (routing/routing.yaml) are missing.", {
        next: "Install the package again",
      });
    }
    folder = parent;
  }
  return folder;
}

/** The folders of the three file layers, lowest first. */
export function configLayers(request: LayerRequest): readonly LayerFolder[] {
  return [
    { layer: "shipped", folder: request.packageRoot },
    { layer: "user", folder: userConfigFolder(request.env) },
    { layer: "project", folder: join(request.repositoryRoot, ".kit"), ...request.project },
  ];
}
