import * as z from "zod/mini";
import { problem, schemaVersion } from "./parts.ts";

const text = z.string();
const texts = z.array(text);

const states = ["none", "new", "trusted", "changed", "refused"] as const;

/** How the project layer stands with the user: what changed since it was trusted, why it cannot be. */
export const standing = {
  state: z.enum(states),
  changes: texts,
  reasons: texts,
};

export const trust = z.strictObject({
  schemaVersion,
  root: text,
  /** Whether this call gave the trust. */
  given: z.boolean(),
  ...standing,
  files: texts,
  /** Of `.kit/kit.yaml`. */
  proposedCommands: texts,
  /** Trusted one by one. */
  commands: texts,
  scripts: z.array(
    z.strictObject({ manifest: text, command: text, script: text, trusted: z.boolean() }),
  ),
  problems: z.array(problem),
});

export const trustList = z.strictObject({
  schemaVersion,
  repositories: z.array(
    z.strictObject({
      root: text,
      state: z.enum(["gone", ...states]),
      since: z.nullable(text),
      commands: texts,
      scripts: z.array(z.strictObject({ manifest: text, script: text })),
    }),
  ),
});

export const trustRevoke = z.strictObject({ schemaVersion, root: text, revoked: z.boolean() });
