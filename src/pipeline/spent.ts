import type { Candidate, Cooling, FailureOf, Ledger } from "../contracts/index.ts";
import { timeText } from "../lib/time-text.ts";
import { coolingLine, isLeft } from "./admission.ts";
import { candidateLabel } from "./calls.ts";

/** A candidate whose account is spent, and until when. */
export interface Cooled {
  readonly candidate: Candidate;
  readonly limit: Cooling;
}

/** Nobody replied, and these may be asked again later. */
export function allSpent(cooling: readonly Cooled[]): FailureOf<"usage_limit"> {
  const first = Math.min(...cooling.map(({ limit }) => limit.until));
  const each = cooling.map(
    ({ candidate, limit }) => `${candidateLabel(candidate)}: ${coolingLine(limit)}`,
  );
  return {
    kind: "usage_limit",
    message: `no account is left: ${each.join("; ")}`,
    resetAt: new Date(first).toISOString(),
  };
}

/** What somebody does about spent accounts, where it is known when the first one returns. */
export function afterReset(resetAt: string): string {
  return `run it again after ${timeText(Date.parse(resetAt))}, or let kit wait for it: kit run --wait`;
}

/**
 * Why a step with these candidates would end without a call: every account is spent for longer
 * than kit waits by itself. Undefined: somebody can be asked.
 */
export function spentAccounts(
  candidates: readonly Candidate[],
  ledger: Ledger,
  now: number,
): { readonly message: string; readonly next: string } | undefined {
  const cooling = candidates.flatMap((candidate): Cooled[] => {
    const limit = ledger.cooling(candidate);
    return limit !== undefined && isLeft(limit, now) ? [{ candidate, limit }] : [];
  });
  if (cooling.length === 0 || cooling.length < candidates.length) return undefined;
  const { message, resetAt = "" } = allSpent(cooling);
  return { message, next: afterReset(resetAt) };
}
