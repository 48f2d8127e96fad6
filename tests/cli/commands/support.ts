import { expect } from "vitest";
import { documentSchemas } from "../../../src/cli/schemas/index.ts";
import { temporaryFolder, writeFiles } from "../../support/repository.ts";
import { type Ran, runKit, type RunKitOptions } from "../support.ts";

/** Bindings for `cheap` and `strong`; the other backends stay placeholders. */
export const twoBindings = [
  "version: 1",
  "backends:",
  "  cheap: { provider: acme, model: small }",
  "  strong: { provider: acme, model: large, thinking: high, context_window: 200000 }",
  "",
].join("\n");

/** A configuration folder of a user with these files. Gives the environment that names it. */
export function userConfiguration(files: Readonly<Record<string, string>>): {
  readonly folder: string;
  readonly env: Record<string, string | undefined>;
} {
  const folder = temporaryFolder();
  writeFiles(folder, files);
  return { folder, env: { ...process.env, KIT_CONFIG_DIR: folder } };
}

/** Runs a command with `--json` and holds what it prints against the published schema. */
export async function documentOf(
  schema: keyof typeof documentSchemas,
  argv: readonly string[],
  options: RunKitOptions = {},
): Promise<Omit<Ran, "stdout"> & { readonly document: Record<string, unknown> }> {
  const { stdout, ...ran } = await runKit([...argv, "--json"], options);
  const document = JSON.parse(stdout) as Record<string, unknown>;
  expect(documentSchemas[schema].safeParse(document).error).toBeUndefined();
  return { ...ran, document };
}
