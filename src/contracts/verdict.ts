import type { TestCommand } from "./test-command.ts";

/** One test of a runner that can tell them apart. */
export interface TestCase {
  /**
   * `tests/math.test.js › math › adds`: the same in every run of one tree and on both sides of a
   * change, and unique among the tests of one command (equal names are numbered in their order,
   * `… (2)`). Holds no duration, no absolute path and no temporary one.
   */
  readonly id: string;
  /** Expected failures and tests marked as still to do count as skipped, whatever they did. */
  readonly status: "passed" | "failed" | "skipped";
  /** Relative to the repository's top level, where the runner says it and it lies inside. */
  readonly file?: string;
  /** Why it failed: bounded, secrets masked, paths relative. */
  readonly message?: string;
}

/** How one command ended. */
export interface CommandResult {
  readonly command: TestCommand;
  /** Exit code, or the signal's name, or how kit ended it. */
  readonly ended:
    | { readonly by: "exit"; readonly code: number }
    | { readonly by: "signal"; readonly signal: string }
    | { readonly by: "deadline"; readonly afterMs: number }
    | { readonly by: "idle"; readonly afterMs: number }
    | { readonly by: "abort" }
    | { readonly by: "spawn_error"; readonly message: string };
  readonly durationMs: number;
  /** Head and tail of what it printed, stdout and stderr as they came, colour stripped. */
  readonly output: string;
  readonly outputBytes: number;
  /** Absolute file with the whole capped output, where it was kept. */
  readonly outputFile?: string;
  /** Command lines of processes it left running; kit ended them. */
  readonly leftBehind?: readonly string[];
  /** Set where it ran in a sandbox. */
  readonly sandbox?: { readonly network: boolean };
  /**
   * Its tests, where its runner said them completely; compare them with those of the same command
   * on the other tree. A red command need not have a failed one (a lint step, a coverage limit):
   * the exit code counts then. One that failed makes a command red although it ended with 0.
   */
  readonly tests?: readonly TestCase[];
  /** Who said them, for people: `vitest, its json report`, `TAP in the output`. */
  readonly reportedBy?: string;
  /** Why they are unknown or contradict the exit code, for people; absent where nobody was asked. */
  readonly reportFault?: string;
}

/** What is wrong with the machine rather than with the code, and what mends it. */
export interface EnvironmentFault {
  /** One line: `test command cannot be started: vitest (127)`. */
  readonly cause: string;
  /** A command or an edit, one sentence. */
  readonly mend: string;
  /** A change to the tree can look the same: counts only where the baseline shows it too. */
  readonly possiblyByChange: boolean;
}

/** What the test commands said of one tree; tests by id where the runner can say them. */
export interface GateResult {
  readonly commands: readonly CommandResult[];
  /** Those of all commands, in order; undefined where one of them does not say its tests. */
  readonly tests: readonly TestCase[] | undefined;
  /** Every command ended with 0, and none says that a test of it failed. */
  readonly green: boolean;
  /** Names (never values) of environment variables that were withheld. */
  readonly withheld: readonly string[];
  /** Set when the environment, not the code, is at fault. */
  readonly environment?: EnvironmentFault;
  /** Files that git runs hooks from and that the tests changed; put right since. Absent: none. */
  readonly changedHooks?: readonly string[];
}

export const verdictKinds = [
  "fixed",
  "green",
  "regressed",
  "unchanged_red",
  "flaky",
  "vacuous",
  "weakened",
  "insensitive",
  "unconfigured",
  "environment",
] as const;

export type VerdictKind = (typeof verdictKinds)[number];

/** What a success has shown: a red baseline turned green, new tests, or nothing of its own. */
export type Evidence = "fixed" | "new tests" | "none";

/** The gate's judgement of a change against the baseline. */
export interface Verdict {
  readonly kind: VerdictKind;
  readonly accepted: boolean;
  /** By what the two sides were compared. */
  readonly basis: "tests" | "exit_code";
  readonly evidence: Evidence;
  /** One line for people. */
  readonly summary: string;
  /** Failing tests first, bounded, paths relative, secrets masked; for the next model. */
  readonly digest: string;
  /** Still red, with fewer failing tests than the baseline; false where they cannot be counted. */
  readonly progress: boolean;
}

/** One test on both sides of a change; a side on which it was not collected is absent. */
export interface TestVerdict {
  readonly id: string;
  readonly file?: string;
  readonly before?: TestCase["status"];
  readonly after?: TestCase["status"];
  /** Why it fails with the change; where it is gone or green now, why it failed before. */
  readonly message?: string;
}

/** How a change moved a test; the worst first. `skipped`: it ran before. */
export const testMoves = ["regressed", "still_red", "gone", "skipped", "fixed"] as const;
export type TestMove = (typeof testMoves)[number];

/** A `VerdictTable` in a few lines, for the event and the receipt. */
export interface TestTally {
  /** Of all tests, as they are with the change. */
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** How many tests moved which way; a move that no test made is absent. */
  readonly moves: Readonly<Partial<Record<TestMove, number>>>;
  /** The tests that moved, worst first; bounded, in number and in length. */
  readonly named: readonly { readonly id: string; readonly move: TestMove }[];
}

/** What a change did to the tests one by one. */
export interface VerdictTable {
  /** Failing ones first, then what changed, then the rest; bounded. */
  readonly tests: readonly TestVerdict[];
  /** Tests that the bound left out. */
  readonly leftOut: number;
  /** Of all tests, those left out too. */
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Absent in records of earlier versions. */
  readonly tally?: TestTally;
}
