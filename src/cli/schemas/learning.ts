import * as z from "zod/mini";
import { failureKinds } from "../../contracts/index.ts";
import { problem, schemaVersion } from "./parts.ts";

const text = z.string();
const count = z.number();
const usd = z.exactOptional(z.number());
const step = z.enum(["scout", "coder", "review"]);
const unreadable = z.array(z.strictObject({ name: text, reason: text }));

/** `kit stats`. */
export const stats = z.strictObject({
  schemaVersion,
  runs: count,
  rows: z.array(
    z.strictObject({
      step,
      capability: text,
      model: z.strictObject({
        adapter: text,
        provider: text,
        model: text,
        thinking: z.exactOptional(text),
      }),
      editFormat: z.exactOptional(z.enum(["whole", "edit", "auto"])),
      attempts: count,
      /** Green, or failed by the model's own work. */
      judged: count,
      green: count,
      /** With its 95 % interval (Wilson). */
      share: z.exactOptional(z.strictObject({ rate: count, low: count, high: count })),
      costUsd: usd,
      costUnknown: count,
      costPerGreenUsd: usd,
      inputTokens: count,
      outputTokens: count,
      tokensUnknown: count,
      medianMs: count,
      p90Ms: count,
      failures: z.array(z.strictObject({ kind: z.enum(failureKinds), count })),
    }),
  ),
  unreadable,
});

const simulatedOrder = z.strictObject({
  backends: z.array(text),
  solves: count,
  costUsd: usd,
  rerunUsd: usd,
});

/** `kit simulate`. */
export const simulate = z.strictObject({
  schemaVersion,
  runs: count,
  simulations: z.array(
    z.strictObject({
      step,
      capability: text,
      runs: count,
      configured: simulatedOrder,
      cheapest: z.exactOptional(simulatedOrder),
      mostSolves: count,
      calibration: z.strictObject({ attempts: count, error: count, brier: count }),
    }),
  ),
  unreadable,
  problems: z.array(problem),
});

/** The suggested order of one route, and what it was reckoned from. */
export const suggestion = z.strictObject({
  runs: count,
  unit: z.enum(["usd", "attempts"]),
  order: z.array(text),
  /** Expected cost of one run until a green, in `unit`. */
  configured: count,
  suggested: count,
  explores: z.exactOptional(text),
  beliefs: z.array(
    z.strictObject({
      backend: text,
      prior: count,
      judged: count,
      green: count,
      rate: count,
      costUsd: usd,
      costFrom: z.exactOptional(
        z.strictObject({ kind: z.enum(["recorded", "priced"]), attempts: count }),
      ),
      score: count,
    }),
  ),
});
