import * as z from "zod/mini";
import type { Event } from "../contracts/index.ts";
import {
  candidateShape,
  changeShape,
  commandShape,
  editFormatShape,
  evidenceShape,
  exitCodeShape,
  failureShape,
  groundShape,
  modelStepShape,
  outcomeShape,
  runErrorShape,
  tallyShape,
  testCommandShape,
  treeHashShape,
  usageShape,
  verdictShape,
  basisShape,
} from "./shapes.ts";

const text = z.string();
const texts = z.array(text);
const count = z.number();
const flag = z.boolean();
const optionalText = z.exactOptional(text);
const step = z.enum(["survey", "baseline", "scout", "coder", "gate", "review"]);
const failure = z.exactOptional(failureShape);
const replayed = z.exactOptional(z.literal(true));

/** The fields of each event beside `type`; a test holds the list against the union of contracts. */
const fields = {
  run_started: {
    runId: text,
    task: text,
    root: text,
    kitVersion: text,
    settings: z.record(text, z.unknown()),
    ground: z.exactOptional(groundShape),
    start: z.exactOptional(
      z.object({
        flags: z.record(text, z.unknown()),
        folder: text,
        pack: optionalText,
        tree: optionalText,
        seal: text,
      }),
    ),
  },
  run_resumed: { runId: text, kitVersion: text, changed: texts },
  step_started: { step },
  step_finished: { step, durationMs: count, summary: optionalText },
  note: { level: z.enum(["info", "warning"]), message: text },
  test_commands: { commands: z.array(testCommandShape) },
  process_started: { process: text, label: text },
  process_finished: { process: text, label: text, durationMs: count },
  baseline: { green: flag, commands: z.array(commandShape), withheld: texts, output: text },
  attempt_started: {
    step: modelStepShape,
    attempt: count,
    agent: text,
    capability: text,
    candidate: candidateShape,
    editFormat: z.exactOptional(editFormatShape),
  },
  call_started: {
    step: modelStepShape,
    attempt: count,
    call: count,
    prompt: text,
    promptTokens: count,
    estimator: z.exactOptional(text),
    replayed,
  },
  call_finished: {
    step: modelStepShape,
    attempt: count,
    call: count,
    ok: flag,
    reply: optionalText,
    isMasked: z.exactOptional(z.literal(true)),
    failure,
    usage: z.exactOptional(usageShape),
    costUsd: z.exactOptional(count),
    durationMs: count,
    replayed,
  },
  waiting: { reason: text, ms: count },
  pool_left: { pool: text, until: optionalText },
  candidate_skipped: {
    step: modelStepShape,
    candidate: candidateShape,
    reason: text,
    until: optionalText,
  },
  climbed: { step: modelStepShape, agent: text, ladder: text, from: text, to: text },
  pack_ready: { pack: text, files: count, tokens: count, report: texts },
  plan_ready: { attempt: count, changes: z.array(changeShape), diff: text, planHash: text },
  applied: { attempt: count, transaction: text },
  verdict: {
    attempt: count,
    kind: verdictShape,
    accepted: flag,
    evidence: evidenceShape,
    basis: z.exactOptional(basisShape),
    summary: text,
    commands: z.array(commandShape),
    output: text,
    tests: optionalText,
    tally: z.exactOptional(tallyShape),
  },
  landed: {
    to: z.enum(["tree", "branch", "commit"]),
    transaction: optionalText,
    branch: optionalText,
    commit: optionalText,
  },
  rolled_back: { attempt: count, restored: texts, kept: texts },
  attempt_finished: {
    step: modelStepShape,
    attempt: count,
    ok: flag,
    failure,
    move: optionalText,
    durationMs: count,
  },
  review_finding: {
    attempt: count,
    severity: text,
    file: optionalText,
    line: z.exactOptional(count),
    text,
  },
  reviewed: {
    attempt: count,
    asked: count,
    answered: z.array(candidateShape),
    passed: flag,
  },
  observed: {
    key: text,
    value: z.exactOptional(z.unknown()),
    object: optionalText,
    lost: z.exactOptional(z.enum(["secret", "size"])),
  },
  effect_finished: { key: text, inputHash: text, result: text },
  run_finished: {
    outcome: outcomeShape,
    exitCode: exitCodeShape,
    changedFiles: texts,
    tree: optionalText,
    treeAfter: z.exactOptional(treeHashShape),
    nextCandidate: optionalText,
    error: z.exactOptional(runErrorShape),
  },
} satisfies Record<Event["type"], Record<string, z.core.$ZodType>>;

/** One line of `events.jsonl`, by the event's type. */
export const eventSchemas: ReadonlyMap<string, z.ZodMiniType> = new Map(
  Object.entries(fields).map(([type, shape]) => [
    type,
    z.object({
      v: z.literal(1),
      seq: z.int().check(z.positive()),
      at: z.string(),
      type: z.literal(type),
      ...shape,
    }),
  ]),
);
