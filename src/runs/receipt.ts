import { basename } from "node:path";
import type {
  CandidateName,
  ChangeSummary,
  CommandSummary,
  EditFormat,
  Event,
  Evidence,
  ExitCode,
  Failure,
  OutcomeKind,
  RecordedEvent,
  RunError,
  RunGround,
  TestTally,
  TreeHash,
  Usage,
  Verdict,
  VerdictKind,
} from "../contracts/index.ts";
import { type EstimateReceipt, estimateOf } from "./estimate.ts";
import { lastTelling, paidCalls } from "./telling.ts";
import { kitOwnTime, type Totals, totalsOf, totalsOfCalls, workedTime } from "./totals.ts";

/** One candidate's turn. Hashes point into `objects/`; an absent figure is unknown, never zero. */
export interface AttemptReceipt {
  readonly step: "scout" | "coder" | "review";
  readonly attempt: number;
  readonly agent: string;
  readonly capability: string;
  readonly candidate: CandidateName;
  /** How a coder was asked to write changes. */
  readonly editFormat?: EditFormat;
  readonly ok: boolean;
  readonly failure?: Failure;
  /** What was decided on the failure. */
  readonly move?: string;
  readonly calls: number;
  readonly durationMs: number;
  readonly usage?: Usage;
  readonly costUsd?: number;
  /** Calls of unknown cost; above zero, `costUsd` is a lower bound. */
  readonly costUnknown: number;
  /** One hash a call. */
  readonly prompts: readonly string[];
  readonly replies: readonly string[];
  readonly diff?: string;
  readonly changes?: readonly ChangeSummary[];
}

/** `receipt.json`, which is also the document of `kit run --json`. */
export interface Receipt {
  readonly schemaVersion: 1;
  readonly runId: string;
  /** Absolute. */
  readonly runDir: string;
  readonly outcome: OutcomeKind;
  readonly exitCode: ExitCode;
  /** More than one candidate was asked for the change, or a ladder was climbed. */
  readonly escalated: boolean;
  /** `backend (provider/model)` that was next, where a bound ended the run first. */
  readonly nextCandidate?: string;
  readonly changedFiles: readonly string[];
  readonly attempts: readonly AttemptReceipt[];
  readonly skipped: readonly {
    readonly step: AttemptReceipt["step"];
    readonly candidate: CandidateName;
    readonly reason: string;
    /** ISO time, where it is a limit. */
    readonly until?: string;
  }[];
  readonly testCommands: Extract<Event, { type: "test_commands" }>["commands"];
  readonly gate: {
    /** Null: the tests never ran on the untouched tree. */
    readonly baseline: {
      readonly green: boolean;
      readonly commands: readonly CommandSummary[];
      readonly withheld: readonly string[];
    } | null;
    /** The last verdict; null: no change reached the gate. */
    readonly change: {
      readonly attempt: number;
      readonly kind: VerdictKind;
      readonly accepted: boolean;
      /** By what the two trees were compared. */
      readonly basis?: Verdict["basis"];
      readonly summary: string;
      readonly commands: readonly CommandSummary[];
      /**
       * The tests one by one, in short; `table`: the object with all of them. Absent where no command
       * told its tests, and in records of earlier versions.
       */
      readonly tests?: TestTally & { readonly table?: string };
    } | null;
    readonly evidence: Evidence | null;
  };
  /** The last review; null: none was asked for, or no change got that far. */
  readonly review: {
    readonly attempt: number;
    /** Distinct models that were to agree. */
    readonly asked: number;
    /** Those that gave a readable review; nobody else counts. */
    readonly answered: readonly CandidateName[];
    readonly passed: boolean;
    readonly findings: readonly Pick<
      EventOf<"review_finding">,
      "severity" | "file" | "line" | "text"
    >[];
  } | null;
  /** Where the change of an isolated run came home; null: it was made in the user's tree. */
  readonly landed: Pick<EventOf<"landed">, "to" | "transaction" | "branch" | "commit"> | null;
  /**
   * Of every process that worked on the run: each call that was paid, once. `kitOwnMs`: `durationMs`
   * minus the time in which a child process was alive.
   */
  readonly totals: Totals & { readonly durationMs: number; readonly kitOwnMs: number };
  /** How often another process went on with it; absent: never. */
  readonly resumed?: number;
  /** Absent where no provider said how long its prompts were. */
  readonly estimate?: EstimateReceipt;
  readonly notes: readonly string[];
  readonly task: string;
  readonly root: string;
  readonly kitVersion: string;
  /** ISO times; null where the log does not say. */
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Absent in records of earlier versions. */
  readonly ground?: RunGround & { readonly treeAfter?: TreeHash };
  readonly error?: RunError;
}

type EventOf<T extends RecordedEvent["type"]> = Extract<RecordedEvent, { type: T }>;
type AttemptStarted = EventOf<"attempt_started">;

/**
 * What a run came to, from its whole log alone: as it was told last, with the costs of all tellings. Without a last event the run was interrupted (a
 * process that was killed could not say so itself).
 *
 * @param runDir absolute folder of the run; its name is the id where the log does not say it
 */
export function receiptOf(log: readonly RecordedEvent[], runDir: string): Receipt {
  const events = lastTelling(log);
  const resumed = ofType(log, "run_resumed").length;
  const started = lastOf(events, "run_started");
  const finished = lastOf(events, "run_finished");
  const attempts = ofType(events, "attempt_started").map((attempt) => attemptOf(attempt, events));
  const estimate = estimateOf(events);
  return {
    schemaVersion: 1,
    runId: started?.runId ?? basename(runDir),
    runDir,
    outcome: finished?.outcome ?? "interrupted",
    exitCode: finished?.exitCode ?? 130,
    escalated: codersOf(attempts).size > 1 || events.some(({ type }) => type === "climbed"),
    ...(finished?.nextCandidate !== undefined && { nextCandidate: finished.nextCandidate }),
    changedFiles: finished?.changedFiles ?? [],
    attempts,
    skipped: ofType(events, "candidate_skipped").map(({ step, candidate, reason, until }) => {
      return { step, candidate, reason, ...(until !== undefined && { until }) };
    }),
    testCommands: lastOf(events, "test_commands")?.commands ?? [],
    gate: gateOf(events),
    review: reviewOf(events),
    landed: landedOf(events),
    totals: {
      ...totalsOfCalls(paidCalls(log)),
      durationMs: workedTime(log),
      kitOwnMs: kitOwnTime(log),
    },
    ...(resumed > 0 && { resumed }),
    ...(estimate && { estimate }),
    notes: ofType(events, "note").map(({ message }) => message),
    task: started?.task ?? "",
    root: started?.root ?? "",
    kitVersion: started?.kitVersion ?? "",
    startedAt: started?.at ?? null,
    finishedAt: finished?.at ?? null,
    settings: started?.settings ?? {},
    ...(started?.ground && {
      ground: {
        ...started.ground,
        ...(finished?.treeAfter && { treeAfter: finished.treeAfter }),
      },
    }),
    ...(finished?.error && { error: finished.error }),
  };
}

/** Who was asked for the change; a repair by the same candidate is no other one. */
function codersOf(attempts: readonly AttemptReceipt[]): ReadonlySet<string> {
  const coders = attempts.filter(({ step }) => step === "coder");
  return new Set(coders.map(({ candidate }) => JSON.stringify(candidate)));
}

function attemptOf(started: AttemptStarted, events: readonly RecordedEvent[]): AttemptReceipt {
  const { step, attempt, agent, capability, candidate, editFormat } = started;
  const own = events.filter((event) => "attempt" in event && event.attempt === attempt);
  const inStep = own.filter((event) => !("step" in event) || event.step === step);
  const end = lastOf(inStep, "attempt_finished");
  const plan = step === "coder" ? lastOf(own, "plan_ready") : undefined;
  const { calls, usage, costUsd, costUnknown } = totalsOf(inStep);
  const last = inStep.at(-1);
  return {
    step,
    attempt,
    agent,
    capability,
    candidate,
    ...(editFormat !== undefined && { editFormat }),
    ok: end?.ok ?? false,
    ...(end?.failure && { failure: end.failure }),
    ...(end?.move !== undefined && { move: end.move }),
    calls,
    durationMs: end?.durationMs ?? (last ? Date.parse(last.at) - Date.parse(started.at) : 0),
    ...(usage && { usage }),
    ...(costUsd !== undefined && { costUsd }),
    costUnknown,
    prompts: ofType(inStep, "call_started").map(({ prompt }) => prompt),
    replies: ofType(inStep, "call_finished").flatMap(({ reply }) => reply ?? []),
    ...(plan && { diff: plan.diff, changes: plan.changes }),
  };
}

function gateOf(events: readonly RecordedEvent[]): Receipt["gate"] {
  const baseline = lastOf(events, "baseline");
  const verdict = lastOf(events, "verdict");
  return {
    baseline: baseline
      ? {
          green: baseline.green,
          commands: baseline.commands,
          withheld: baseline.withheld,
        }
      : null,
    change: verdict
      ? {
          attempt: verdict.attempt,
          kind: verdict.kind,
          accepted: verdict.accepted,
          ...(verdict.basis !== undefined && { basis: verdict.basis }),
          summary: verdict.summary,
          commands: verdict.commands,
          ...(verdict.tally && {
            tests: {
              ...verdict.tally,
              ...(verdict.tests !== undefined && { table: verdict.tests }),
            },
          }),
        }
      : null,
    evidence: verdict?.accepted ? verdict.evidence : null,
  };
}

function reviewOf(events: readonly RecordedEvent[]): Receipt["review"] {
  const last = lastOf(events, "reviewed");
  if (last === undefined) return null;
  const { attempt, asked, answered, passed } = last;
  const start = events.findLastIndex(({ type, seq }) => type === "applied" && seq < last.seq);
  const findings = ofType(events.slice(start + 1), "review_finding").map(
    ({ severity, file, line, text }) => ({
      severity,
      ...(file !== undefined && { file }),
      ...(line !== undefined && { line }),
      text,
    }),
  );
  return { attempt, asked, answered, passed, findings };
}

function landedOf(events: readonly RecordedEvent[]): Receipt["landed"] {
  const last = lastOf(events, "landed");
  if (last === undefined) return null;
  const { to, transaction, branch, commit } = last;
  return {
    to,
    ...(transaction !== undefined && { transaction }),
    ...(branch !== undefined && { branch }),
    ...(commit !== undefined && { commit }),
  };
}

function ofType<T extends RecordedEvent["type"]>(
  events: readonly RecordedEvent[],
  type: T,
): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

function lastOf<T extends RecordedEvent["type"]>(
  events: readonly RecordedEvent[],
  type: T,
): EventOf<T> | undefined {
  return ofType(events, type).at(-1);
}
