import type { CallResult } from "./adapter.ts";
import type { Failure, FailureKind } from "./failure.ts";
import type { Candidate } from "./routing.ts";

/** What a limit is of: an account, what a provider knows of the user, or one model. */
export type LimitScope = "pool" | "provider" | "candidate";

/** Something that may not be called for a while. */
export interface Cooling {
  readonly scope: LimitScope;
  /** The pool, the provider, or `adapter:provider/model`. */
  readonly name: string;
  readonly failure: FailureKind;
  /** Epoch milliseconds. */
  readonly until: number;
  /** The provider said until when; else it is kit's guess. */
  readonly told: boolean;
}

/** A call that is counted and may be made; every one has to be finished. */
export interface Flight {
  /** The provider has begun to answer: whoever waits for that may go. A second time does nothing. */
  accepted(): void;
  /** What it came to: spend is added, a limit is known to all from now on. */
  finish(result: CallResult): void;
}

/**
 * Whether a call may start.
 * - `cooling`: not before then
 * - `knocking`: another call to the same account has just started; ask again in a moment, as it
 *   may be the one that finds the limit
 */
export type Admission =
  | { readonly kind: "go"; readonly flight: Flight }
  | { readonly kind: "cooling"; readonly cooling: Cooling }
  | { readonly kind: "knocking" };

/** What all kit processes of a user know of their accounts. */
export interface Ledger {
  /** Why a call to it would not start now; undefined: it would. Writes nothing. */
  cooling(candidate: Candidate): Cooling | undefined;
  /** Found overloaded or out of reach by another run a moment ago: better asked after the others. */
  askedLast(candidate: Candidate): Cooling | undefined;
  /** Takes the place of one call. @param leaseMs after which a call that never finished is over */
  reserve(candidate: Candidate, leaseMs: number): Admission;
  /** What a failure means to later calls; gives the cooldown, where it means one. */
  note(candidate: Candidate, failure: Failure): Cooling | undefined;
}
