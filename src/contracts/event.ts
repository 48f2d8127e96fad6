import type { EditFormat } from "./routing.ts";
import type { Usage } from "./adapter.ts";
import type { Failure } from "./failure.ts";
import type { OutcomeKind, ExitCode } from "./outcome.ts";
import type { Evidence, Verdict, VerdictKind, TestTally } from "./verdict.ts";

/** A candidate as records name it. */
export interface CandidateName {
  readonly backend: string;
  readonly adapter: string;
  readonly provider: string;
  readonly model: string;
  readonly thinking?: string;
}

/** The steps a run is made of. */
export type StepName = "survey" | "baseline" | "scout" | "coder" | "gate" | "review";

export interface CommandSummary {
  readonly command: string;
  readonly ended: string;
  readonly durationMs: number;
  /** As of `CommandResult`. */
  readonly reportedBy?: string;
  readonly reportFault?: string;
}

/** What ended a run, for people and for `--json`. */
export interface RunError {
  /** A failure kind, or the kind of a `KitError`. */
  readonly kind: string;
  readonly message: string;
  /** The step that mends it. */
  readonly next?: string;
}

export interface ChangeSummary {
  readonly kind: "create" | "write" | "edit" | "delete" | "rename";
  readonly path: string;
  readonly to?: string;
  readonly strategy?: string;
  readonly added: number;
  readonly removed: number;
}

/** How a run was started: what `kit resume` needs to go on with it in the same way. */
export interface RunStart {
  /** Options of `kit run` beside task, pack and repository, as the command line gave them. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** The folder kit was started in, relative to the root; empty for the root itself. */
  readonly folder: string;
  /** Name of the given pack in the run's folder. */
  readonly pack?: string;
  /** Object with the state of the tree; absent where there is no git. */
  readonly tree?: string;
  /** Says that kit wrote this on this machine: a repository cannot bring a run of its own. */
  readonly seal: string;
}

/** What a run stands on: enough to say later why it went another way than the next one. */
export interface RunGround {
  readonly versions: {
    readonly kit: string;
    readonly node: string;
    readonly platform: string;
    /** What the program of each adapter says it is; absent in records of earlier versions. */
    readonly adapters?: Readonly<Record<string, string>>;
  };
  /** Configuration files that took part; `hash` is the SHA-256 of their bytes where they were readable. */
  readonly sources: readonly {
    readonly kind: string;
    readonly layer: string;
    readonly file: string;
    readonly hash?: string;
  }[];
  /** Of each step, as it was resolved before anything was asked. */
  readonly routes: readonly {
    readonly capability: string;
    readonly candidates: readonly CandidateName[];
    readonly skipped: readonly { readonly backend: string; readonly reason: string }[];
  }[];
  readonly tree?: TreeHash;
}

/** The tree of HEAD (empty without a commit), and a hash over it and all that differed from it. */
export interface TreeHash {
  readonly head: string;
  readonly hash: string;
}

/**
 * Everything that happens in a run. Closed; every member named, also those that nothing
 * produces yet (`pool_left` from a shared ledger). Objects are hashes into `objects/`.
 */
export type Event =
  | {
      readonly type: "run_started";
      readonly runId: string;
      readonly task: string;
      readonly root: string;
      readonly kitVersion: string;
      readonly settings: Readonly<Record<string, unknown>>;
      /** Absent in records of earlier versions. */
      readonly ground?: RunGround;
      /** Absent where its options hold a credential, which is never kept: it cannot be resumed. */
      readonly start?: RunStart;
    }
  | {
      /** Another process goes on with the run: what follows tells the whole run once more. */
      readonly type: "run_resumed";
      readonly runId: string;
      readonly kitVersion: string;
      /** What somebody changed in the tree since the run began. */
      readonly changed: readonly string[];
    }
  | { readonly type: "step_started"; readonly step: StepName }
  | {
      readonly type: "step_finished";
      readonly step: StepName;
      readonly durationMs: number;
      readonly summary?: string;
    }
  | { readonly type: "note"; readonly level: "info" | "warning"; readonly message: string }
  | {
      readonly type: "test_commands";
      readonly commands: readonly {
        readonly command: string;
        readonly source: string;
        readonly runs: boolean;
      }[];
    }
  | { readonly type: "process_started"; readonly process: string; readonly label: string }
  | {
      readonly type: "process_finished";
      readonly process: string;
      readonly label: string;
      readonly durationMs: number;
    }
  | {
      readonly type: "baseline";
      readonly green: boolean;
      readonly commands: readonly CommandSummary[];
      readonly withheld: readonly string[];
      readonly output: string;
    }
  | {
      readonly type: "attempt_started";
      readonly step: "scout" | "coder" | "review";
      readonly attempt: number;
      readonly agent: string;
      readonly capability: string;
      readonly candidate: CandidateName;
      /** How a coder is asked to write changes. */
      readonly editFormat?: EditFormat;
    }
  | {
      readonly type: "call_started";
      readonly step: "scout" | "coder" | "review";
      readonly attempt: number;
      readonly call: number;
      readonly prompt: string;
      readonly promptTokens: number;
      /** Name of the estimator behind `promptTokens`. */
      readonly estimator?: string;
      /** Nobody is asked: the answer is in the record of a resumed run, and was paid then. */
      readonly replayed?: true;
    }
  | {
      readonly type: "call_finished";
      readonly step: "scout" | "coder" | "review";
      readonly attempt: number;
      readonly call: number;
      readonly ok: boolean;
      readonly reply?: string;
      /** The object holds the reply without what looked like a secret in it. */
      readonly isMasked?: true;
      readonly failure?: Failure;
      readonly usage?: Usage;
      readonly costUsd?: number;
      readonly durationMs: number;
      readonly replayed?: true;
    }
  | { readonly type: "waiting"; readonly reason: string; readonly ms: number }
  | { readonly type: "pool_left"; readonly pool: string; readonly until?: string }
  | {
      readonly type: "candidate_skipped";
      readonly step: "scout" | "coder" | "review";
      readonly candidate: CandidateName;
      readonly reason: string;
      /** ISO time, where it is a limit. */
      readonly until?: string;
    }
  | {
      /** The route had nobody left, and the agent names a ladder. */
      readonly type: "climbed";
      readonly step: "scout" | "coder" | "review";
      readonly agent: string;
      readonly ladder: string;
      /** Capabilities. */
      readonly from: string;
      readonly to: string;
    }
  | {
      readonly type: "pack_ready";
      readonly pack: string;
      readonly files: number;
      readonly tokens: number;
      readonly report: readonly string[];
    }
  | {
      readonly type: "plan_ready";
      readonly attempt: number;
      readonly changes: readonly ChangeSummary[];
      readonly diff: string;
      readonly planHash: string;
    }
  | { readonly type: "applied"; readonly attempt: number; readonly transaction: string }
  | {
      readonly type: "verdict";
      readonly attempt: number;
      readonly kind: VerdictKind;
      readonly accepted: boolean;
      readonly evidence: Evidence;
      /** Absent in records of versions that compared by exit code alone. */
      readonly basis?: Verdict["basis"];
      readonly summary: string;
      readonly commands: readonly CommandSummary[];
      readonly output: string;
      /** Object with a `VerdictTable`; absent where no command told its tests. */
      readonly tests?: string;
      /** The same in short. Absent with it, and in records of earlier versions. */
      readonly tally?: TestTally;
    }
  | {
      /** The change of an isolated run came home. */
      readonly type: "landed";
      readonly to: "tree" | "branch" | "commit";
      /** In the user's tree. */
      readonly transaction?: string;
      readonly branch?: string;
      readonly commit?: string;
    }
  | {
      readonly type: "rolled_back";
      readonly attempt: number;
      readonly restored: readonly string[];
      readonly kept: readonly string[];
    }
  | {
      readonly type: "attempt_finished";
      readonly step: "scout" | "coder" | "review";
      readonly attempt: number;
      readonly ok: boolean;
      readonly failure?: Failure;
      readonly move?: string;
      readonly durationMs: number;
    }
  | {
      readonly type: "review_finding";
      readonly attempt: number;
      readonly severity: string;
      readonly file?: string;
      readonly line?: number;
      readonly text: string;
    }
  | {
      readonly type: "reviewed";
      readonly attempt: number;
      /** Distinct models that were to agree. */
      readonly asked: number;
      /** Those that gave a readable review. */
      readonly answered: readonly CandidateName[];
      readonly passed: boolean;
    }
  | {
      readonly type: "effect_finished";
      readonly key: string;
      readonly inputHash: string;
      readonly result: string;
    }
  | {
      /** What the run was told by the world around it, so that `kit replay` can tell it again. */
      readonly type: "observed";
      /** What was looked at: `survey`, `tests of a change: …`. */
      readonly key: string;
      /** As JSON; a large one is an object that holds the JSON. */
      readonly value?: unknown;
      readonly object?: string;
      /** Why neither is kept: it holds what looks like a secret, or is too much. */
      readonly lost?: "secret" | "size";
    }
  | {
      readonly type: "run_finished";
      readonly outcome: OutcomeKind;
      readonly exitCode: ExitCode;
      readonly changedFiles: readonly string[];
      /** Hash over the changed files as they stand: paths, modes and contents. */
      readonly tree?: string;
      /** The user's whole tree as it stands now, as in `RunGround`; absent where nobody can tell. */
      readonly treeAfter?: TreeHash;
      /** `backend (provider/model)` that was next, where a bound ended the run first. */
      readonly nextCandidate?: string;
      readonly error?: RunError;
    };

/** As a line of `events.jsonl`. `seq` counts from 1; `at` is ISO time. */
export type RecordedEvent = Event & { readonly v: 1; readonly seq: number; readonly at: string };

/**
 * Returns once the event is durable, where the next step rests on it, and else once it stands in line
 * for the disk, in order. A failure of either stops the run.
 */
export type Emit = (event: Event) => Promise<void>;
