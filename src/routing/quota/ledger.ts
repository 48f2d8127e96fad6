import type {
  Admission,
  Candidate,
  Cooling,
  Failure,
  FailureKind,
  Flight,
  Ledger,
  LimitScope,
} from "../../contracts/index.ts";
import { mayBeAlive, type ProcessIdentity } from "../../lib/processes/index.ts";
import type { Store, StoreRow } from "../../lib/store.ts";
import { limitOf, limitPlace, nameIn, reachOf } from "./limits.ts";
import { addSpend, addToWindow, limitWindow } from "./spend.ts";

export interface LedgerOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly self: ProcessIdentity;
  /** Names this run. */
  readonly run: string;
  /** How long others wait for the first sign of a call's provider. */
  readonly knockMs?: number;
}

/** A provider that refuses a call says so within moments, pi's start counted: so long others wait. */
const KNOCK_MS = 10_000;
/** After a limit, whether it is over shows with the answer alone. */
const KNOCK_AFTER_LIMIT_MS = 60_000;

/** The ledger in an open store. Its methods throw what the store throws. */
export function createLedger(
  store: Store,
  { now, self, run, knockMs = KNOCK_MS }: LedgerOptions,
): Ledger {
  const begun = now();

  function rowsOf(candidate: Candidate): readonly StoreRow[] {
    return store.all(
      `SELECT * FROM cooldown WHERE (scope, name) IN (VALUES ('pool', ?), ('provider', ?), ('candidate', ?))`,
      nameIn("pool", candidate),
      nameIn("provider", candidate),
      nameIn("candidate", candidate),
    );
  }

  /** The longest of those that hold now. */
  function longest(rows: readonly StoreRow[], isMeant: (row: StoreRow) => boolean) {
    const at = now();
    const holding = rows.filter((row) => Number(row["until"]) > at && isMeant(row));
    const [row] = holding.toSorted((one, other) => Number(other["until"]) - Number(one["until"]));
    return row && coolingOf(row);
  }

  const bindsThisRun = (row: StoreRow): boolean => {
    const reach = reachOf(String(row["failure"]));
    if (reach === "everyone") return true;
    return reach === "runs_before" && Number(row["since"]) >= begun && row["run"] !== run;
  };
  const isSoft = (row: StoreRow): boolean =>
    reachOf(String(row["failure"])) === "others" && row["run"] !== run;

  /** Calls of dead processes are over, and nobody knows what they cost. */
  function sweep(): void {
    const at = now();
    for (const row of store.all("SELECT * FROM flight")) {
      const owner = {
        pid: Number(row["pid"]),
        started: text(row, "started"),
        host: text(row, "host"),
      };
      if (Number(row["lease_until"]) > at && (isSelf(owner) || mayBeAlive(owner))) continue;
      store.run("DELETE FROM flight WHERE id = ?", Number(row["id"]));
      addSpend(store, spenderOf(row), Number(row["began"]), {});
    }
  }

  const isSelf = ({ pid, started, host }: ProcessIdentity): boolean =>
    pid === self.pid && started === self.started && host === self.host;

  function keep(candidate: Candidate, failure: Failure): Cooling | undefined {
    const place = limitPlace(candidate, failure.kind);
    if (place === undefined) return undefined;
    const [known] = store.all(
      "SELECT * FROM cooldown WHERE scope = ? AND name = ?",
      place.scope,
      place.name,
    );
    const at = now();
    // The same limit, found by calls that started before it was known.
    const isSame = known !== undefined && Number(known["until"]) > at;
    const streak = isSame ? Number(known["streak"]) : Number(known?.["streak"] ?? 0) + 1;
    const found = limitOf(candidate, failure, at, streak);
    if (found === undefined) return undefined;
    const kept = isSame ? coolingOf(known) : undefined;
    // What the provider says mends a guess at the same limit; else the longer one counts.
    const mends = found.told && kept?.told === false && kept.failure === failure.kind;
    if (kept !== undefined && !mends && kept.until >= found.until) return kept;
    store.run(
      "INSERT OR REPLACE INTO cooldown VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      place.scope,
      place.name,
      failure.kind,
      run,
      at,
      found.until,
      found.told ? 1 : 0,
      streak,
    );
    if (place.scope === "pool" && !isSame) limitWindow(store, place.name, at, found.until);
    return { ...found, failure: failure.kind };
  }

  function flightOf(id: number, candidate: Candidate, began: number): Flight {
    const { quotaPool: pool, provider, model } = candidate.binding;
    let knocks = true;
    return {
      accepted() {
        if (!knocks) return;
        knocks = false;
        store.run("UPDATE flight SET knocks_until = 0 WHERE id = ?", id);
      },
      finish(result) {
        store.transact(() => {
          // Swept meanwhile, its lease being over: it is counted already.
          if (store.run("DELETE FROM flight WHERE id = ?", id) === 0) return;
          addSpend(store, { pool, provider, model }, began, result);
          addToWindow(store, pool, now(), result);
          if (result.ok) lift(candidate);
          else if (isPoolLimit(result.failure.kind)) keep(candidate, result.failure);
        });
      },
    };
  }

  /** A good answer: nothing that was known against it holds. */
  function lift(candidate: Candidate): void {
    for (const row of rowsOf(candidate)) {
      // Found by a call that started later than this one.
      if (row["scope"] === "pool" && Number(row["until"]) > now()) continue;
      store.run(
        "DELETE FROM cooldown WHERE scope = ? AND name = ?",
        text(row, "scope"),
        text(row, "name"),
      );
    }
  }

  return {
    cooling: (candidate) => longest(rowsOf(candidate), bindsThisRun),
    askedLast: (candidate) => longest(rowsOf(candidate), isSoft),
    reserve(candidate, leaseMs) {
      const { quotaPool: pool, provider, model } = candidate.binding;
      return store.transact((): Admission => {
        const at = now();
        sweep();
        const rows = rowsOf(candidate);
        const cooling = longest(rows, bindsThisRun);
        if (cooling !== undefined) return { kind: "cooling", cooling };
        const knocking = store.all(
          "SELECT 1 FROM flight WHERE pool = ? AND knocks_until > ? LIMIT 1",
          pool,
          at,
        );
        if (knocking.length > 0) return { kind: "knocking" };
        const wasLimited = rows.some((row) => row["scope"] === "pool");
        const knocksMs = wasLimited ? Math.max(knockMs, KNOCK_AFTER_LIMIT_MS) : knockMs;
        const [row] = store.all(
          "INSERT INTO flight (pool, provider, model, pid, started, host, began, lease_until, knocks_until) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
          pool,
          provider,
          model,
          self.pid,
          self.started,
          self.host,
          at,
          at + Math.ceil(leaseMs),
          at + knocksMs,
        );
        return { kind: "go", flight: flightOf(Number(row?.["id"]), candidate, at) };
      });
    },
    note: (candidate, failure) =>
      isPoolLimit(failure.kind)
        ? longest(rowsOf(candidate), (row) => row["scope"] === "pool")
        : store.transact(() => keep(candidate, failure)),
  };
}

/** Known to all the moment the call ends, not only when its attempt does. */
function isPoolLimit(kind: FailureKind): boolean {
  return kind === "usage_limit" || kind === "rate_limit";
}

function coolingOf(row: StoreRow): Cooling {
  return {
    scope: text(row, "scope") as LimitScope,
    name: text(row, "name"),
    failure: text(row, "failure") as FailureKind,
    until: Number(row["until"]),
    told: row["told"] === 1,
  };
}

function spenderOf(row: StoreRow): { pool: string; provider: string; model: string } {
  return { pool: text(row, "pool"), provider: text(row, "provider"), model: text(row, "model") };
}

function text(row: StoreRow, column: string): string {
  return String(row[column]);
}
