import * as z from "zod/mini";
import { schemaVersion } from "./parts.ts";

const text = z.string();
const texts = z.array(text);

export const packCheck = z.strictObject({
  schemaVersion,
  ok: z.boolean(),
  /** As the schema of Context Packs says; null where it is not valid. */
  pack: z.nullable(z.record(text, z.unknown())),
  markdown: z.nullable(text),
  report: texts,
  errors: z.array(
    z.strictObject({ field: text, line: z.exactOptional(z.number()), message: text }),
  ),
});

export const packRender = z.strictObject({ schemaVersion, ok: z.literal(true), markdown: text });

export const packScout = z.strictObject({
  schemaVersion,
  ok: z.boolean(),
  pack: z.nullable(z.record(text, z.unknown())),
  markdown: z.nullable(text),
  /** Where it was written to; null: nowhere. */
  file: z.nullable(text),
  /** Of the pack alone, estimated. */
  tokens: z.number(),
  /** With the contents of its files, which its budget holds as well. */
  tokensWithFiles: z.number(),
  report: texts,
  calls: z.number(),
  costUsd: z.exactOptional(z.number()),
  costUnknown: z.number(),
  reason: z.nullable(text),
});

export const packShrink = z.strictObject({
  schemaVersion,
  ok: z.boolean(),
  markdown: text,
  tokens: z.number(),
  maxTokens: z.number(),
  cuts: texts,
});
