import type { TestCommand } from "./test-command.ts";

/** One test of a runner that can tell them apart. */
export interface TestCase {
  readonly id: string;
  readonly status: "passed" | "failed" | "skipped";
}

/** How one command ended. */
export interface CommandResult {
  readonly command: TestCommand;
  /** Exit code, or the signal's name, or how kit ended it. */
  readonly ended:
    | { readonly by: "exit"; readonly code: number }
    | { readonly by: "signal"; readonly signal: string }
    | { readonly by: "deadline"; readonly afterMs: number }
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
  readonly tests: readonly TestCase[] | undefined;
  readonly green: boolean;
  /** Names (never values) of environment variables that were withheld. */
  readonly withheld: readonly string[];
  /** Set when the environment, not the code, is at fault. */
  readonly environment?: EnvironmentFault;
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
