import type { Sourced } from "./problem.ts";

/** Whether test commands are confined: where that is possible, always or not at all, never. */
export const sandboxModes = ["auto", "on", "off"] as const;

export type SandboxMode = (typeof sandboxModes)[number];

/** Every setting kit knows (`kit.yaml`), each with the layer, file and line it came from. */
export interface Settings {
  /** Appended once to every prompt when it is not English. */
  readonly language: Sourced<string>;
  /** Test commands of the user's settings; shell lines. */
  readonly testCommands: Sourced<readonly string[]>;
  /** How long the scout waits for a red baseline. */
  readonly baselineWaitMs: Sourced<number>;
  readonly gateTimeoutMs: Sourced<number>;
  /** A test command without output for this long is ended; `undefined`: no such limit. */
  readonly gateIdleTimeoutMs: Sourced<number | undefined>;
  readonly sandbox: Sourced<SandboxMode>;
  /** Whether confined tests reach the network. */
  readonly testNetwork: Sourced<boolean>;
  /** Further folders that confined tests may write into; absolute, or `~/…`. */
  readonly testWritable: Sourced<readonly string[]>;
  /** Names of environment variables that tests may see although they look like credentials. */
  readonly passEnvironment: Sourced<readonly string[]>;
  readonly repairs: Sourced<"last" | "progress" | "off">;
  /** Every change with green tests is reviewed; `--review` and `--no-review` stand above it. */
  readonly review: Sourced<"on" | "off">;
  /** Ignored entries an isolated run links: a name anywhere, or a path from the top. */
  readonly worktreeLink: Sourced<readonly string[]>;
  /** The same for those it copies. */
  readonly worktreeCopy: Sourced<readonly string[]>;
  /** Shell lines that make an isolated tree ready for its tests. */
  readonly worktreeSetup: Sourced<readonly string[]>;
  /** Whether candidates are asked as configured, or by what earlier runs cost until a green. */
  readonly routingOrder: Sourced<"fixed" | "suggested">;
  readonly maxAttempts: Sourced<number>;
  readonly maxCalls: Sourced<number>;
  /** What a run may cost, in USD; undefined: no limit. */
  readonly budgetUsd: Sourced<number | undefined>;
  /** Tokens a run may read and write; undefined: no limit. */
  readonly budgetTokens: Sourced<number | undefined>;
  /** The calls of one step; undefined: no limit. */
  readonly stepTimeoutMs: Sourced<number | undefined>;
  readonly callIdleTimeoutMs: Sourced<number>;
  readonly callTimeoutMs: Sourced<number>;
  /** Files of at most this many lines are asked for whole. */
  readonly wholeFileLines: Sourced<number>;
  /** How many runs of a repository are kept on record; undefined: all. */
  readonly runsKeep: Sourced<number | undefined>;
  /** How long; undefined: for ever. */
  readonly runsMaxAgeMs: Sourced<number | undefined>;
  /** `adapters.pi.program` of the user layer. */
  readonly piProgram: Sourced<string | undefined>;
}
