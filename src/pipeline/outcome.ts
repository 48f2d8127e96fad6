import type { ExitCode, OutcomeKind } from "../contracts/index.ts";

/** The exit code of each outcome (DESIGN, "Names that reach users"). */
const exitCodes: Readonly<Record<OutcomeKind, ExitCode>> = {
  success: 0,
  untested: 0,
  exhausted: 1,
  conflict: 1,
  stopped: 1,
  no_model: 3,
  no_pack: 4,
  environment: 5,
  interrupted: 130,
};

/**
 * What `kit run` exits with. A route that was tried to its end without one reply is `exhausted`
 * like any other, but the exit says that no model ever replied.
 */
export function exitCodeOf(outcome: OutcomeKind, replied: boolean): ExitCode {
  return outcome === "exhausted" && !replied ? 3 : exitCodes[outcome];
}
