import { join } from "node:path";
import { hookFolders } from "../changes/index.ts";
import type { Settings } from "../contracts/index.ts";
import { openSandbox, type Sandbox } from "../gate/index.ts";
import { homeFolder } from "../lib/home-folder.ts";

/** Where tests run, and what the user lets them do. */
export interface TestSandboxRequest {
  /** Absolute top level of the repository, links resolved. */
  readonly root: string;
  /** False where the repository has no git, and so no hooks. */
  readonly hasGit: boolean;
  readonly settings: Pick<Settings, "sandbox" | "testNetwork" | "testWritable">;
  /** The environment kit was started with. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The tree that an isolated one belongs to, and what it links to there; absolute. */
  readonly linked?: { readonly root: string; readonly folders: readonly string[] };
}

/**
 * Opens the sandbox that the user's settings ask for; whoever opens it closes it.
 * @throws KitError `environment` for `sandbox: on` on a machine without one.
 */
export async function openTestSandbox(request: TestSandboxRequest): Promise<Sandbox> {
  const { root, hasGit, settings, environment, linked } = request;
  const hooks = hasGit ? await hookFolders(root) : [];
  return openSandbox({
    mode: settings.sandbox.value,
    root,
    environment,
    network: settings.testNetwork.value,
    readable: linked === undefined ? [] : [linked.root],
    writable: [
      ...settings.testWritable.value.map((folder) =>
        folder.startsWith("~/") ? join(homeFolder(environment), folder.slice(2)) : folder,
      ),
      ...(linked?.folders ?? []),
    ],
    hookFolders: hooks.map((folder) => join(root, folder)),
  });
}
