import * as z from "zod/mini";
import { schemaVersion } from "./parts.ts";

const text = z.string();
const optionalText = z.exactOptional(text);

export const quota = z.strictObject({
  schemaVersion,
  file: text,
  limits: z.array(
    z.strictObject({
      scope: z.enum(["pool", "provider", "candidate"]),
      name: text,
      failure: text,
      since: text,
      until: text,
      /** The provider said until when; else it is a guess. */
      told: z.boolean(),
    }),
  ),
  pools: z.array(
    z.strictObject({
      pool: text,
      inFlight: z.number(),
      since: optionalText,
      calls: z.number(),
      tokens: z.number(),
      limitedAt: optionalText,
      resetsAt: optionalText,
      limitedCalls: z.exactOptional(z.number()),
    }),
  ),
  spend: z.array(
    z.strictObject({
      day: text,
      pool: text,
      provider: text,
      model: text,
      calls: z.number(),
      input: z.number(),
      output: z.number(),
      /** Calls whose tokens, or dollars, nobody told: the sums are lower bounds. */
      tokensUnknown: z.number(),
      usd: z.number(),
      usdUnknown: z.number(),
    }),
  ),
});

export const quotaClear = z.strictObject({
  schemaVersion,
  pool: z.nullable(text),
  forgotten: z.number(),
  discarded: z.boolean(),
});
