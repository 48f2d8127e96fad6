import * as z from "zod/mini";
import { thinkingLevels } from "../../contracts/index.ts";
import { problem, schemaVersion } from "./parts.ts";

const text = z.string();
const texts = z.array(text);
const thinking = z.exactOptional(z.enum(thinkingLevels));

const difference = {
  schemaVersion,
  /** pi's `settings.json`. */
  file: text,
  exists: z.boolean(),
  proposal: z.strictObject({
    subagents: z.strictObject({
      agentOverrides: z.record(text, z.strictObject({ model: text, thinking })),
    }),
  }),
  changes: z.array(
    z.strictObject({
      agent: text,
      state: z.enum(["add", "update", "same"]),
      capability: text,
      backend: text,
      model: text,
      thinking,
      /** Backends that kit would move on to; pi's settings cannot say them. */
      fallbacks: texts,
      before: z.exactOptional(
        z.strictObject({
          model: z.exactOptional(z.unknown()),
          thinking: z.exactOptional(z.unknown()),
        }),
      ),
    }),
  ),
  leftOut: z.array(z.strictObject({ agent: text, reason: text })),
  warnings: texts,
  problems: z.array(problem),
};

export const piProposal = z.strictObject(difference);

export const piApply = z.strictObject({
  ...difference,
  applied: z.boolean(),
  /** The copy of the old file; null where nothing was written or there was none. */
  backup: z.nullable(text),
});

export const piCheck = z.strictObject({
  schemaVersion,
  ok: z.boolean(),
  program: text,
  version: text,
  settings: text,
  hasComments: z.boolean(),
  parts: z.array(
    z.strictObject({
      kind: z.enum(["extension", "skill", "subagents", "agent"]),
      name: text,
      state: z.enum(["loaded", "missing", "twice", "foreign", "stale", "unset", "unused"]),
      from: texts,
      next: z.exactOptional(text),
    }),
  ),
});
