import type { Candidate, Cooling, Ledger } from "../contracts/index.ts";
import type { RunRecord } from "./ports.ts";

/** What is asked of a ledger; the answers to each question about each candidate are counted. */
export type LedgerQuestion = "cooling" | "asked last" | "reserve" | "note";

/** One answer that was no plain yes: the `nth` to this question about this candidate, from 1. */
export interface LedgerAnswer {
  readonly question: LedgerQuestion;
  readonly identity: string;
  readonly nth: number;
  readonly cooling: Cooling;
}

/** Key under which the answers are observed. */
export const ledgerKey = "ledger";

/** The ledger, with every answer that holds somebody back kept in the record. */
export function watchLedger(ledger: Ledger, record: Pick<RunRecord, "observe">): Ledger {
  const counts = countAnswers();
  const keep = (question: LedgerQuestion, of: Candidate, cooling: Cooling | undefined): void => {
    const nth = counts.next(question, of);
    if (cooling === undefined) return;
    const answer: LedgerAnswer = { question, identity: of.identity, nth, cooling };
    // A log that cannot be written fails the run at its next event.
    record.observe(ledgerKey, () => Promise.resolve(answer)).catch(() => undefined);
  };
  return {
    cooling(candidate) {
      const found = ledger.cooling(candidate);
      keep("cooling", candidate, found);
      return found;
    },
    askedLast(candidate) {
      const found = ledger.askedLast(candidate);
      keep("asked last", candidate, found);
      return found;
    },
    reserve(candidate, leaseMs) {
      const admission = ledger.reserve(candidate, leaseMs);
      // Who knocks asks again in a moment: only the last answer decides.
      if (admission.kind !== "knocking") {
        keep("reserve", candidate, admission.kind === "cooling" ? admission.cooling : undefined);
      }
      return admission;
    },
    note(candidate, failure) {
      const found = ledger.note(candidate, failure);
      keep("note", candidate, found);
      return found;
    },
  };
}

/** Numbers the answers to each question about each candidate. */
export function countAnswers(): { next(question: LedgerQuestion, of: Candidate): number } {
  const counts = new Map<string, number>();
  return {
    next(question, { identity }) {
      const key = `${question} ${identity}`;
      const nth = (counts.get(key) ?? 0) + 1;
      counts.set(key, nth);
      return nth;
    },
  };
}
