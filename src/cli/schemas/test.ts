import * as z from "zod/mini";
import { problem, schemaVersion } from "./parts.ts";
import { standing } from "./trust.ts";

const text = z.string();
const texts = z.array(text);
const optionalText = z.exactOptional(text);
const problems = z.array(problem);

export const test = z.strictObject({
  schemaVersion,
  root: text,
  testCommands: z.array(
    z.strictObject({ command: text, folder: text, source: text, runs: z.boolean() }),
  ),
  projectLayer: z.strictObject(standing),
  /** Null in a dry run. */
  verdict: z.nullable(z.enum(["green", "red", "vacuous", "environment"])),
  summary: z.nullable(text),
  next: optionalText,
  results: z.array(
    z.strictObject({
      command: text,
      ended: text,
      durationMs: z.number(),
      /** Absent where nobody says. */
      counts: z.exactOptional(
        z.strictObject({ ran: z.number(), failed: z.number(), skipped: z.number() }),
      ),
      tests: z.exactOptional(
        z.array(
          z.strictObject({
            id: text,
            status: z.enum(["passed", "failed", "skipped"]),
            file: optionalText,
            message: optionalText,
          }),
        ),
      ),
      reportedBy: optionalText,
      reportFault: optionalText,
      leftBehind: texts,
      /** Null where it ran with the user's rights. */
      sandbox: z.nullable(z.strictObject({ network: z.boolean() })),
    }),
  ),
  /** Names of environment variables that the tests did not get. */
  withheld: texts,
  /** The failing part, where it is not green. */
  digest: optionalText,
  warnings: texts,
  problems,
});
