import * as z from "zod/mini";
import { failureKinds } from "../../contracts/index.ts";
import { schemaVersion } from "./parts.ts";

const text = z.string();
const texts = z.array(text);
const optionalText = z.exactOptional(text);

const change = z.strictObject({
  kind: z.enum(["create", "write", "edit", "delete", "rename"]),
  path: text,
  to: optionalText,
  strategy: optionalText,
  added: z.number(),
  removed: z.number(),
});

export const apply = z.strictObject({
  schemaVersion,
  ok: z.boolean(),
  changes: z.array(change),
  refused: z.array(z.strictObject({ path: text, reason: text })),
  failure: z.exactOptional(z.looseObject({ kind: z.enum(failureKinds), message: text })),
});

export const undo = z.strictObject({
  schemaVersion,
  runId: text,
  restored: texts,
  kept: z.array(z.strictObject({ path: text, preImage: optionalText, reason: text })),
  /** With --merge: `yours` is the file as it was until now. */
  merged: z.exactOptional(
    z.array(z.strictObject({ path: text, conflicts: z.number(), yours: text })),
  ),
});
