import * as z from "zod/mini";
import type { Receipt } from "./receipt.ts";
import {
  candidateShape,
  changeShape,
  commandShape,
  editFormatShape,
  evidenceShape,
  exitCodeShape,
  failureShape,
  groundShape,
  list,
  modelStepShape,
  outcomeShape,
  tallyShape,
  treeHashShape,
  runErrorShape,
  testCommandShape,
  usageShape,
  verdictShape,
  basisShape,
} from "./shapes.ts";

const costShape = z.exactOptional(z.number());

const attemptShape = z.object({
  step: modelStepShape,
  attempt: z.number(),
  agent: z.string(),
  capability: z.string(),
  candidate: candidateShape,
  editFormat: z.exactOptional(editFormatShape),
  ok: z.boolean(),
  failure: z.exactOptional(failureShape),
  move: z.exactOptional(z.string()),
  calls: z.number(),
  durationMs: z.number(),
  usage: z.exactOptional(usageShape),
  costUsd: costShape,
  costUnknown: z.number(),
  prompts: list(z.string()),
  replies: list(z.string()),
  diff: z.exactOptional(z.string()),
  changes: z.exactOptional(list(changeShape)),
});

const gateShape = z.object({
  baseline: z.nullable(
    z.object({
      green: z.boolean(),
      commands: list(commandShape),
      withheld: list(z.string()),
    }),
  ),
  change: z.nullable(
    z.object({
      attempt: z.number(),
      kind: verdictShape,
      accepted: z.boolean(),
      basis: z.exactOptional(basisShape),
      summary: z.string(),
      commands: list(commandShape),
      tests: z.exactOptional(z.extend(tallyShape, { table: z.exactOptional(z.string()) })),
    }),
  ),
  evidence: z.nullable(evidenceShape),
});

/** The keys of a receipt, for documents that hold more beside them. */
export const receiptFields = {
  schemaVersion: z.literal(1),
  runId: z.string(),
  runDir: z.string(),
  outcome: outcomeShape,
  exitCode: exitCodeShape,
  escalated: z.boolean(),
  nextCandidate: z.exactOptional(z.string()),
  changedFiles: list(z.string()),
  attempts: list(attemptShape),
  skipped: list(
    z.object({
      step: modelStepShape,
      candidate: candidateShape,
      reason: z.string(),
      until: z.exactOptional(z.string()),
    }),
  ),
  testCommands: list(testCommandShape),
  gate: gateShape,
  review: z.nullable(
    z.object({
      attempt: z.number(),
      asked: z.number(),
      answered: list(candidateShape),
      passed: z.boolean(),
      findings: list(
        z.object({
          severity: z.string(),
          file: z.exactOptional(z.string()),
          line: z.exactOptional(z.number()),
          text: z.string(),
        }),
      ),
    }),
  ),
  landed: z.nullable(
    z.object({
      to: z.enum(["tree", "branch", "commit"]),
      transaction: z.exactOptional(z.string()),
      branch: z.exactOptional(z.string()),
      commit: z.exactOptional(z.string()),
    }),
  ),
  totals: z.object({
    calls: z.number(),
    usage: z.exactOptional(usageShape),
    usageUnknown: z.number(),
    costUsd: costShape,
    costUnknown: z.number(),
    durationMs: z.number(),
    kitOwnMs: z.number(),
  }),
  resumed: z.exactOptional(z.number()),
  estimate: z.exactOptional(
    z.object({
      estimator: z.string(),
      estimatedTokens: z.number(),
      reportedTokens: z.number(),
      ratio: z.number(),
    }),
  ),
  notes: list(z.string()),
  task: z.string(),
  root: z.string(),
  kitVersion: z.string(),
  startedAt: z.nullable(z.string()),
  finishedAt: z.nullable(z.string()),
  settings: z.record(z.string(), z.unknown()),
  ground: z.exactOptional(z.extend(groundShape, { treeAfter: z.exactOptional(treeHashShape) })),
  error: z.exactOptional(runErrorShape),
};

/** `receipt.json`, which is also the document of `kit run --json`. */
export const receiptSchema: z.ZodMiniType<Receipt> = z.object(receiptFields);
