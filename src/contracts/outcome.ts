/** How a run ended. */
export const outcomeKinds = [
  "success",
  "untested",
  "exhausted",
  "no_model",
  "no_pack",
  "conflict",
  "environment",
  "stopped",
  "interrupted",
] as const;

export type OutcomeKind = (typeof outcomeKinds)[number];

/** Exit codes of every command; `run` uses all of them. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 130;
