import * as z from "zod/mini";
import { receiptFields } from "../../runs/index.ts";
import { raceEntry } from "./batch.ts";
import { suggestion } from "./learning.ts";
import { classified, configSource, problem, route, schemaVersion } from "./parts.ts";
import { standing } from "./trust.ts";

const text = z.string();
const texts = z.array(text);
const optionalText = z.exactOptional(text);
const problems = z.array(problem);
const sources = z.array(configSource);

export const run = z.object({
  ...receiptFields,
  /** With --race: everybody who took part, in the order of the route; `totals` are of all. */
  race: z.exactOptional(z.array(raceEntry)),
});

export const runs = z.strictObject({
  schemaVersion,
  runs: z.array(
    z.union([
      z.strictObject({
        runId: text,
        runDir: text,
        running: z.boolean(),
        startedAt: z.nullable(text),
        task: text,
        outcome: text,
        exitCode: z.number(),
        escalated: z.boolean(),
        attempts: z.number(),
        changedFiles: texts,
        durationMs: z.number(),
        costUsd: z.exactOptional(z.number()),
        costUnknown: z.number(),
      }),
      z.strictObject({ runId: text, runDir: text, unreadable: text }),
    ]),
  ),
});

const removal = z.strictObject({ id: text, reason: text });

export const runsGc = z.strictObject({
  schemaVersion,
  dryRun: z.boolean(),
  removed: z.array(removal),
  /** Beyond the limits, and not removed. */
  kept: z.array(removal),
  transactions: texts,
  leftovers: texts,
});

export const dryRun = z.strictObject({
  schemaVersion,
  routes: z.strictObject({ scout: route, coder: route, review: z.exactOptional(route) }),
  classified: z.exactOptional(classified),
  /** With `routing.order: suggested`. */
  suggested: z.exactOptional(z.strictObject({ scout: suggestion, coder: suggestion })),
  sources,
  settings: z.record(
    text,
    z.strictObject({
      value: z.unknown(),
      layer: text,
      file: optionalText,
      line: z.exactOptional(z.number()),
    }),
  ),
  testCommands: z.array(
    z.strictObject({ command: text, folder: text, source: text, runs: z.boolean() }),
  ),
  sandbox: text,
  prompts: z.strictObject({
    scout: z.exactOptional(
      z.strictObject({ tokens: z.number(), costUsd: z.exactOptional(z.number()) }),
    ),
  }),
  /** The repository's own configuration; it takes part where it is trusted. */
  projectLayer: z.strictObject(standing),
  warnings: texts,
  notChecked: texts,
  problems,
});

export const report = z.strictObject({ schemaVersion, path: text, bytes: z.number() });
