import { join } from "node:path";
import { type LiveSettings, readLiveSettings } from "../../src/pi-settings/index.ts";
import type { OverrideChange } from "../../src/pi-settings/index.ts";
import { temporaryFolder, writeFiles } from "../support/repository.ts";

/** A folder of pi with this settings file, and the file as kit reads it. */
export async function settingsOf(text: string): Promise<{
  readonly folder: string;
  readonly file: string;
  readonly live: LiveSettings;
}> {
  const folder = temporaryFolder();
  writeFiles(folder, { "settings.json": text });
  return { folder, file: join(folder, "settings.json"), live: await readLiveSettings(folder) };
}

/** A change of one agent's model. */
export function change(
  agent: string,
  state: OverrideChange["state"],
  model: string,
  thinking?: OverrideChange["thinking"],
): OverrideChange {
  const level = thinking === undefined ? {} : { thinking };
  return {
    agent,
    capability: "cheap-code",
    backend: "cheap",
    fallbacks: [],
    state,
    model,
    ...level,
  };
}
