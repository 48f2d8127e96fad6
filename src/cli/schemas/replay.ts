import * as z from "zod/mini";
import { schemaVersion } from "./parts.ts";

const text = z.string();
const where = { where: text, what: text };

/** What this kit makes of a recorded run. */
export const replay = z.strictObject({
  schemaVersion,
  runId: text,
  recordedBy: text,
  replayedBy: text,
  same: z.boolean(),
  /** What of the record is not as kit wrote it; then nothing is compared. */
  damages: z.array(text),
  checks: z.array(z.strictObject({ ...where, same: z.boolean() })),
  differences: z.array(
    z.strictObject({ ...where, recorded: z.exactOptional(text), now: z.exactOptional(text) }),
  ),
  /** Why the replay ends before the run did, or the run before it was over. */
  endsEarly: z.exactOptional(text),
});
