import { userStateFolder } from "../lib/user-folders.ts";
import { StoreError } from "../lib/store.ts";
import { type LedgerReport, readLedger } from "../routing/index.ts";
import type { Io } from "./io.ts";

/**
 * What the quota ledger tells, for commands that only show it. A ledger that cannot be read is
 * said on stderr and holds nothing.
 */
export async function knownLimits(io: Io): Promise<LedgerReport> {
  try {
    return await readLedger(userStateFolder(io.env), io.clock().getTime());
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const next = error.fault === "corrupt" ? " next: forget it: kit quota clear" : "";
    io.stderr.write(`The quota ledger cannot be read: ${error.message}.${next}\n`);
    return { limits: [], pools: [], spend: [] };
  }
}
