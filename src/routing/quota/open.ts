import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Admission, Candidate, Flight, Ledger } from "../../contracts/index.ts";
import { ownIdentity } from "../../lib/processes/index.ts";
import {
  openMemoryStore,
  openStore,
  removeStore,
  type Store,
  type StoreError,
  storeFaultOf,
  type StoreFault,
} from "../../lib/store.ts";
import { createLedger, type LedgerOptions } from "./ledger.ts";
import { ledgerSchema } from "./tables.ts";

/** An open ledger; it never throws: without its file it goes on with what this process learns. */
export interface OpenLedger extends Ledger {
  close(): void;
}

export interface OpenLedgerRequest {
  /** The user's state folder. */
  readonly folder: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Told once where the file cannot be used, or no longer: one sentence with the next step. */
  readonly onTrouble: (message: string) => void;
}

/** Where the ledger is, in the user's state folder. */
export function ledgerFile(folder: string): string {
  return join(folder, "quota.sqlite");
}

/** Opens the ledger that all kit processes of the user share. Trouble with it never stops a run. */
export async function openLedger(request: OpenLedgerRequest): Promise<OpenLedger> {
  const file = ledgerFile(request.folder);
  const spare = await openMemoryStore(ledgerSchema);
  const tell = (error: unknown): void => request.onTrouble(troubleText(storeFaultOf(error, file)));
  try {
    const store = await openStore(file, ledgerSchema);
    return steady(store, spare, { now: request.now, tell });
  } catch (error) {
    tell(error);
    return steady(spare, undefined, { now: request.now, tell: () => undefined });
  }
}

/** A ledger of this process alone. */
export async function openMemoryLedger(now: () => number): Promise<OpenLedger> {
  return steady(await openMemoryStore(ledgerSchema), undefined, { now, tell: () => undefined });
}

/** Removes a ledger that cannot be read. @throws StoreError `newer`: that one is left alone */
export async function discardBrokenLedger(folder: string): Promise<boolean> {
  const file = ledgerFile(folder);
  try {
    const store = await openStore(file, ledgerSchema);
    try {
      if (store.all("PRAGMA quick_check")[0]?.["quick_check"] === "ok") return false;
    } finally {
      store.close();
    }
    await removeStore(file);
    return true;
  } catch (error) {
    const fault = storeFaultOf(error, file);
    if (fault.fault !== "corrupt") throw fault;
    await removeStore(file);
    return true;
  }
}

interface SteadyOptions {
  readonly now: () => number;
  readonly tell: (error: unknown) => void;
}

/** Moves to the spare store, for good, when the first one fails. */
function steady(store: Store, spare: Store | undefined, { now, tell }: SteadyOptions): OpenLedger {
  const options: LedgerOptions = { now, self: ownIdentity(), run: randomBytes(6).toString("hex") };
  let ledger = createLedger(store, options);
  let next = spare;

  /** False: there is nothing left to move to. */
  function moveOn(error: unknown): boolean {
    if (next === undefined) return false;
    tell(error);
    ledger = createLedger(next, options);
    next = undefined;
    return true;
  }

  function attempt<T>(work: (ledger: Ledger) => T, without: T): T {
    try {
      return work(ledger);
    } catch (error) {
      return moveOn(error) ? work(ledger) : without;
    }
  }

  function steadyFlight(flight: Flight, candidate: Candidate): Flight {
    return {
      accepted() {
        try {
          flight.accepted();
        } catch (error) {
          moveOn(error);
        }
      },
      finish(result) {
        try {
          flight.finish(result);
        } catch (error) {
          if (!moveOn(error)) return;
          const again = ledger.reserve(candidate, 0);
          if (again.kind === "go") again.flight.finish(result);
        }
      },
    };
  }

  return {
    cooling: (candidate) => attempt((current) => current.cooling(candidate), undefined),
    askedLast: (candidate) => attempt((current) => current.askedLast(candidate), undefined),
    note: (candidate, failure) => attempt((current) => current.note(candidate, failure), undefined),
    reserve(candidate, leaseMs) {
      const admission = attempt((current) => current.reserve(candidate, leaseMs), unheld);
      if (admission.kind !== "go") return admission;
      return { kind: "go", flight: steadyFlight(admission.flight, candidate) };
    },
    close() {
      store.close();
      spare?.close();
    },
  };
}

/** A call that nobody counts. */
const unheld: Admission = {
  kind: "go",
  flight: { accepted: () => undefined, finish: () => undefined },
};

const troubleTexts: Readonly<Record<StoreFault, string>> = {
  unwritable: "cannot be written",
  network: "cannot be shared on a network file system",
  corrupt: "is damaged (forget it: kit quota clear)",
  newer: "was written by a later kit",
  busy: "was in use by others for too long",
};

/** What people are told of a ledger that cannot be used. */
function troubleText(error: StoreError): string {
  return `The quota ledger ${troubleTexts[error.fault]}: limits that other runs find are not known to this one (${error.message})`;
}
