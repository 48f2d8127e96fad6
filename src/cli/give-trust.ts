import { fileHashes, type TrustRecord, trustStore } from "../config/index.ts";
import { userStateFolder } from "../lib/user-folders.ts";
import type { Io } from "./io.ts";
import type { OpenLayer } from "./layer.ts";

/** What the user said yes to; what is absent stays as it is. */
export interface Consent {
  /** The layer as it was shown: what was read then, not what is there by now. */
  readonly layer?: OpenLayer;
  readonly commands?: readonly string[];
  /** By the manifest's path: what its test command runs. */
  readonly scripts?: Readonly<Record<string, string>>;
}

/** Writes a yes of the user's down. @throws KitError where the state folder is in the repository. */
export async function giveTrust(root: string, consent: Consent, io: Io): Promise<void> {
  const store = trustStore(userStateFolder(io.env));
  const since = io.clock().toISOString();
  const before: TrustRecord = (await store.read(root)) ?? { root, commands: [], scripts: {} };
  const known = new Set(before.commands.map(({ command }) => command));
  const added = [...new Set(consent.commands)].filter((command) => !known.has(command));
  await store.write({
    ...before,
    ...(consent.layer !== undefined && {
      layer: { since, files: fileHashes(consent.layer.content) },
    }),
    commands: [...before.commands, ...added.map((command) => ({ command, since }))],
    scripts: { ...before.scripts, ...consent.scripts },
  });
}
