import type { CallResult, Candidate, Failure } from "../../../src/contracts/index.ts";
import { openMemoryStore, type Store } from "../../../src/lib/store.ts";
import type { ProcessIdentity } from "../../../src/lib/processes/index.ts";
import { createLedger, type LedgerOptions } from "../../../src/routing/quota/ledger.ts";
import { ledgerSchema } from "../../../src/routing/quota/tables.ts";
import type { Ledger } from "../../../src/contracts/index.ts";

/** 2026-11-30T12:00:00Z */
export const noon = Date.UTC(2026, 10, 30, 12);

/** A candidate from `provider/model`, in the pool of that name unless given. */
export function candidateOf(name: string, pool?: string): Candidate {
  const slash = name.indexOf("/");
  const provider = name.slice(0, slash);
  const model = name.slice(slash + 1);
  return {
    backend: name,
    identity: name,
    degraded: [],
    binding: {
      adapter: "in-process",
      provider,
      model,
      quotaPool: pool ?? provider,
      editFormat: "auto",
      extensions: false,
    },
  };
}

export function good(usage?: { input: number; output: number }, costUsd?: number): CallResult {
  return {
    ok: true,
    text: "reply",
    servedBy: "in-process",
    ...(usage && { usage }),
    ...(costUsd !== undefined && { costUsd }),
  };
}

export function failed(failure: Failure): CallResult {
  return { ok: false, failure };
}

/** Runs of one user on one store, and their clock. */
export interface User {
  readonly store: Store;
  /** Epoch milliseconds; tests move it. */
  at: number;
  run(name?: string, self?: ProcessIdentity): Ledger;
}

export async function user(): Promise<User> {
  const store = await openMemoryStore(ledgerSchema);
  const me = { pid: process.pid, started: "", host: "" };
  const made: User = {
    store,
    at: noon,
    run(name = "run", self = me) {
      const options: LedgerOptions = { now: () => made.at, self, run: name };
      return createLedger(store, options);
    },
  };
  return made;
}

/** One whole call. */
export function callTo(ledger: Ledger, candidate: Candidate, result: CallResult): string {
  const admission = ledger.reserve(candidate, 60_000);
  if (admission.kind === "go") admission.flight.finish(result);
  return admission.kind;
}
