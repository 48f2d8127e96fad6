import type {
  Adapter,
  Agent,
  Candidate,
  ContextPack,
  Emit,
  ExitCode,
  Failure,
  Ledger,
  OutcomeKind,
  RecordedEvent,
  RepoPath,
  Route,
  SurveyResult,
  TestCommand,
  TreeHash,
  Workspace,
} from "../contracts/index.ts";
import type { Git } from "../lib/git.ts";
import type { Memory } from "../memory/index.ts";
import type { Land } from "./landing.ts";
import type { ReviewRequest } from "./review.ts";
import type { BudgetLimits } from "./budget.ts";

/** Time, handed in: tests wait for nothing. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after `ms`, or at once when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Where a run is written down (the `runs` room makes one). */
export interface RunRecord {
  readonly id: string;
  /** Absolute folder of the record. */
  readonly folder: string;
  readonly emit: Emit;
  /**
   * Keeps a text, redacted, and gives its hash; `name` names it for people: `context-pack.md`. It is
   * on disk before any event that is emitted from now on.
   */
  object(content: string, name?: string): string;
  /**
   * Looks at the world and keeps what was seen, for `kit replay`: there the answer comes from the
   * record. What is seen survives JSON.
   */
  observe<T>(key: string, look: () => Promise<T>): Promise<T>;
  /**
   * Runs an effect once: a resumed run gets the recorded result of a finished one. `isFinished` says
   * whether a result may stand for the effect; default: any.
   */
  step<T>(
    key: string,
    inputHash: string,
    effect: () => Promise<T>,
    isFinished?: (result: T) => boolean,
  ): Promise<T>;
  /** The recorded result of a finished effect; undefined where it has to be done. */
  recall<T>(key: string, inputHash: string): Promise<T | undefined>;
  /** What earlier processes of this run wrote; empty for a new one. */
  readonly before: readonly RecordedEvent[];
}

/** Bounds of a run; the defaults are in DESIGN ("Failures") and `docs/settings.md`. */
export interface RunLimits extends BudgetLimits {
  /** Candidates that returned a reply, per step. */
  readonly maxAttempts: number;
  /** Every request of the run. */
  readonly maxCalls: number;
  /** The whole run; absent: no limit. */
  readonly timeoutMs?: number;
  /** The calls of one step; absent: no limit. */
  readonly stepTimeoutMs?: number;
  /** How long a step with nobody left but spent accounts waits for one; absent: not at all. */
  readonly waitMs?: number;
  readonly callTimeoutMs: number;
  readonly callIdleTimeoutMs: number;
  /** First wait before an overloaded or unreachable provider is asked again; doubles once. */
  readonly retryWaitMs: number;
  readonly gateTimeoutMs: number;
  /** Silence after which a test command is ended; absent: no such limit. */
  readonly gateIdleTimeoutMs?: number;
  /** How long the scout waits for the baseline. */
  readonly baselineWaitMs: number;
}

export interface RunOptions {
  readonly repairs: "last" | "progress" | "off";
  readonly keepFailed: boolean;
  readonly mayEditTests: boolean;
  /** `sensitive`: tests of the change must be red without its sources. Absent: a green is enough. */
  readonly verify?: "sensitive" | undefined;
  /** Apply without any test command; the outcome is `untested`. */
  readonly allowUntested: boolean;
  readonly wholeFileLines: number;
  readonly language: string;
  /** Environment names that tests may see although they look like credentials. */
  readonly passEnvironment: readonly string[];
}

/** The rungs above an agent's capability. */
export interface Ladder {
  readonly name: string;
  readonly routes: readonly Route[];
}

/** Everything `runPipeline` needs; all effects come in through it. */
export interface RunRequest {
  readonly task: string;
  readonly workspace: Workspace;
  /** The repository that the workspace is the tree of; absent: there is none. */
  readonly git?: Git;
  /** Lists and excerpts the repository for the task. */
  readonly survey: (failingOutput?: string) => Promise<SurveyResult>;
  readonly agents: { readonly scout: Agent; readonly coder: Agent };
  readonly routes: { readonly scout: Route; readonly coder: Route };
  /** Routes above those: of the stronger capabilities of the agent's ladder, in order. */
  readonly ladders?: { readonly scout?: Ladder; readonly coder?: Ladder };
  readonly adapters: ReadonlyMap<string, Adapter>;
  /** Who reviews a change whose tests are green; absent: nobody. */
  readonly review?: ReviewRequest;
  /** Makes the tree ready before anything runs in it; gives what keeps it from being so. */
  readonly setUp?: () => Promise<Failure | undefined>;
  /** Brings the change home; absent: the workspace is the user's tree. */
  readonly land?: Land;
  /** What is known of the accounts, shared with other runs. */
  readonly ledger: Ledger;
  /** What earlier runs of this repository left; absent: nothing. */
  readonly memory?: Memory;
  /** A pack of the user's: the scout is skipped. */
  readonly pack?: ContextPack;
  /** Commands that run; empty only with `allowUntested`. */
  readonly testCommands: readonly TestCommand[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Hash of the tree as the run found it: test results hold for no other. Absent: nobody can tell,
   * and a resumed run tests again.
   */
  readonly treeHash?: string;
  /** What of the user's settings decides how tests run. Absent: no baseline is taken from a cache. */
  readonly testSettings?: string;
  /** Hash of the user's tree as it stands, told with the end of the run. */
  readonly treeAfter?: () => Promise<TreeHash | undefined>;
  readonly limits: RunLimits;
  readonly options: RunOptions;
  readonly clock: Clock;
  /** Aborted by Ctrl-C and signals. */
  readonly signal: AbortSignal;
  readonly record: RunRecord;
}

/** The part of a request that the scout's step needs; `kit pack scout` has no more. */
export type ScoutRequest = Pick<
  RunRequest,
  "task" | "agents" | "routes" | "ladders" | "limits" | "options" | "memory" | "testCommands"
> & { readonly workspace: Pick<Workspace, "root"> };

/** How a run ended. */
export interface RunOutcome {
  readonly outcome: OutcomeKind;
  readonly exitCode: ExitCode;
  readonly changedFiles: readonly RepoPath[];
  /** The transaction that stands in the tree, for `kit undo`. */
  readonly transaction?: string;
  /** What ended the run, where it was not a success. */
  readonly failure?: Failure;
  /** Who was next when the attempts were used up. */
  readonly nextCandidate?: Candidate;
}
