import type {
  CandidateName,
  ChangeSummary,
  CommandSummary,
  Event,
  Evidence,
  ExitCode,
  Failure,
  OutcomeKind,
  RecordedEvent,
  RunError,
  Usage,
  VerdictKind,
} from "../contracts/index.ts";

/** The part of an attempt's receipt that a report shows. */
export interface ReportedAttempt {
  readonly step: "scout" | "coder" | "review";
  readonly attempt: number;
  readonly agent: string;
  readonly capability: string;
  readonly candidate: CandidateName;
  readonly editFormat?: string;
  readonly ok: boolean;
  readonly failure?: Failure;
  readonly move?: string;
  readonly calls: number;
  readonly durationMs: number;
  readonly usage?: Usage;
  readonly costUsd?: number;
  readonly costUnknown: number;
  /** Object. */
  readonly diff?: string;
  readonly changes?: readonly ChangeSummary[];
}

/** The part of a receipt that a report shows; `receipt.json` has all of it. */
export interface ReportedRun {
  readonly runId: string;
  /** Absolute. */
  readonly runDir: string;
  readonly outcome: OutcomeKind;
  readonly exitCode: ExitCode;
  readonly escalated: boolean;
  readonly changedFiles: readonly string[];
  readonly attempts: readonly ReportedAttempt[];
  readonly skipped: readonly {
    readonly step: string;
    readonly candidate: CandidateName;
    readonly reason: string;
    readonly until?: string;
  }[];
  readonly testCommands: Extract<Event, { type: "test_commands" }>["commands"];
  readonly gate: {
    readonly baseline: {
      readonly green: boolean;
      readonly commands: readonly CommandSummary[];
      readonly withheld: readonly string[];
    } | null;
    readonly change: {
      readonly attempt: number;
      readonly kind: VerdictKind;
      readonly accepted: boolean;
      readonly summary: string;
      readonly commands: readonly CommandSummary[];
    } | null;
    readonly evidence: Evidence | null;
  };
  readonly review: {
    readonly asked: number;
    readonly answered: readonly CandidateName[];
    readonly passed: boolean;
  } | null;
  readonly landed: {
    readonly to: string;
    readonly branch?: string;
    readonly commit?: string;
  } | null;
  readonly totals: {
    readonly calls: number;
    readonly usage?: Usage;
    readonly costUsd?: number;
    readonly costUnknown: number;
    readonly durationMs: number;
    readonly kitOwnMs: number;
  };
  readonly notes: readonly string[];
  readonly task: string;
  readonly root: string;
  readonly kitVersion: string;
  /** ISO times. */
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly error?: RunError;
}

/** All that a report is made of. Every text in it is data: a model or a repository may have made it. */
export interface RunToReport {
  readonly receipt: ReportedRun;
  readonly events: readonly RecordedEvent[];
  /** What the run came to, one line. */
  readonly headline: string;
  /** It goes on right now. */
  readonly isRunning: boolean;
  /** Lines of the log that nobody could read. */
  readonly unread: number;
  /** Texts of the objects that `objectsOf` names, by hash; one that is missing is said to be. */
  readonly objects: ReadonlyMap<string, string>;
  /** A next move in words. */
  readonly moveText: (move: string) => string;
}

type EventOf<T extends RecordedEvent["type"]> = Extract<RecordedEvent, { type: T }>;

/** The events of one type, in order. */
export function eventsOf<T extends RecordedEvent["type"]>(
  events: readonly RecordedEvent[],
  type: T,
): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

/** Hashes of the objects that a report of these events shows. */
export function objectsOf(events: readonly RecordedEvent[]): readonly string[] {
  const hashes = events.flatMap((event) => {
    if (event.type === "plan_ready") return [event.diff];
    if (event.type === "verdict") return [event.output, ...(event.tests ? [event.tests] : [])];
    if (event.type === "baseline") return [event.output];
    return event.type === "pack_ready" ? [event.pack] : [];
  });
  return [...new Set(hashes)];
}

/** `acme/large:high` */
export function modelText({ provider, model, thinking }: Omit<CandidateName, "backend">): string {
  return `${provider}/${model}${thinking === undefined ? "" : `:${thinking}`}`;
}

/** `scout 1`, as everything of the run calls it. */
export function attemptName({ step, attempt }: { step: string; attempt: number }): string {
  return `${step} ${attempt}`;
}
