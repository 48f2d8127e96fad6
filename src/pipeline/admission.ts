import type { Candidate, Cooling, Failure, Flight, Ledger } from "../contracts/index.ts";
import { timeText } from "../lib/time-text.ts";
import type { Clock, RunRecord } from "./ports.ts";

/** A shorter limit is waited for, a longer one is not (DESIGN, "Failures"). */
export const LONGEST_WAIT_MS = 60_000;
/** How often an account is looked at on which another call has just started. */
const LOOK_AGAIN_MS = 100;
/** A wait nobody notices needs no line. */
const SILENT_WAIT_MS = 500;
/** Others may take the account's first call after a limit, and meet it again. */
const WAITS = 3;

export interface AdmissionTools {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly record: Pick<RunRecord, "emit">;
}

export type Admitted =
  | { readonly ok: true; readonly flight: Flight }
  /** Why there is no call; undefined: the run was aborted meanwhile. */
  | { readonly ok: false; readonly failure: Failure | undefined };

/** Waits until a call to the candidate may start, for as long as its limit is a short one. */
export async function admit(
  candidate: Candidate,
  leaseMs: number,
  { ledger, clock, signal, record }: AdmissionTools,
): Promise<Admitted> {
  let waits = 0;
  while (!signal.aborted) {
    const admission = ledger.reserve(candidate, leaseMs);
    if (admission.kind === "go") return { ok: true, flight: admission.flight };
    if (admission.kind === "knocking") {
      await clock.sleep(LOOK_AGAIN_MS, signal);
      continue;
    }
    const { cooling } = admission;
    const ms = cooling.until - clock.now();
    waits += 1;
    if (isLeft(cooling, clock.now()) || waits > WAITS)
      return { ok: false, failure: failureOfCooling(cooling) };
    if (ms > SILENT_WAIT_MS) {
      const reason = `${candidate.backend}: ${coolingText(cooling)}`;
      await record.emit({ type: "waiting", reason, ms });
    }
    await clock.sleep(ms, signal);
  }
  return { ok: false, failure: undefined };
}

/** Its candidates are passed over, not waited for. */
export function isLeft({ scope, until }: Cooling, now: number): boolean {
  return scope !== "pool" || until - now > LONGEST_WAIT_MS;
}

/** What keeps a candidate from being called, and until when. */
export function coolingLine(cooling: Cooling): string {
  return `${coolingText(cooling)} until ${timeText(cooling.until)}`;
}

/** What keeps a candidate from being called. */
export function coolingText({ scope, name, failure }: Cooling): string {
  if (scope === "provider") return `provider ${name} refused another run: ${failure}`;
  if (scope === "candidate") return `${name} failed another run: ${failure}`;
  return `quota pool ${name} is spent`;
}

/** The failure of a call that was not made. */
function failureOfCooling(cooling: Cooling): Failure {
  const message = coolingLine(cooling);
  if (cooling.scope !== "pool") return { kind: "auth", message: coolingText(cooling) };
  return { kind: "usage_limit", message, resetAt: new Date(cooling.until).toISOString() };
}
