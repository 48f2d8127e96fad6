import * as z from "zod/mini";
import { outcomeKinds } from "../../contracts/index.ts";
import { schemaVersion } from "./parts.ts";

const text = z.string();
const count = z.number();
const optionalText = z.exactOptional(text);
const exitCode = z.literal([0, 1, 2, 3, 4, 5, 130]);

/** `kit batch`. */
export const batch = z.strictObject({
  schemaVersion,
  exitCode,
  /** In the order of the file. */
  tasks: z.array(
    z.strictObject({
      id: text,
      repo: text,
      /** Null: there is no record. */
      runId: z.nullable(text),
      /** Of the run; `usage`: it was refused; `not_started`. */
      outcome: z.enum([...outcomeKinds, "usage", "not_started"]),
      /** Null: it was not started. */
      exitCode: z.nullable(exitCode),
      changedFiles: z.array(text),
      landed: z.nullable(
        z.strictObject({
          to: text,
          transaction: optionalText,
          branch: optionalText,
          commit: optionalText,
        }),
      ),
      /** It was over before this start. */
      earlier: z.boolean(),
      costUsd: z.exactOptional(z.number()),
      /** Calls of unknown cost; above zero, `costUsd` is a lower bound. */
      costUnknown: count,
      durationMs: count,
      error: optionalText,
    }),
  ),
  totals: z.strictObject({
    tasks: count,
    green: count,
    notGreen: count,
    notStarted: count,
    /** Of all starts, as far as it is known. */
    spentUsd: count,
    costUnknown: count,
  }),
});

/** A candidate of `kit run --race`. */
export const raceEntry = z.strictObject({
  backend: text,
  adapter: text,
  provider: text,
  model: text,
  thinking: optionalText,
  /** `lost`: another was first, and it was ended. */
  end: z.enum(["won", "lost", "failed"]),
  /** Null: there is no record. */
  runId: z.nullable(text),
  /** Of its run; null where there is none. */
  outcome: z.nullable(z.enum(outcomeKinds)),
  exitCode,
  costUsd: z.exactOptional(z.number()),
  costUnknown: count,
  durationMs: count,
  error: optionalText,
});
