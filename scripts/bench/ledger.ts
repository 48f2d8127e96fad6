import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Candidate } from "../../src/contracts/index.ts";
import { openLedger } from "../../src/routing/index.ts";
import { type BenchRow, median } from "./row.ts";

const calls = 200;

const candidate: Candidate = {
  backend: "strong",
  identity: "strong",
  degraded: [],
  binding: {
    adapter: "pi",
    provider: "acme",
    model: "large",
    quotaPool: "acme",
    editFormat: "auto",
    extensions: false,
  },
};

/** What the ledger adds to a call: asked before it, told of it at its first byte and its end. */
export async function benchLedger(): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "kit-bench-"));
  try {
    const opened = performance.now();
    const onTrouble = (message: string): void => console.error(message);
    const ledger = await openLedger({ folder, now: Date.now, onTrouble });
    const openMs = performance.now() - opened;
    const times: number[] = [];
    for (let nth = 0; nth < calls; nth += 1) {
      const started = performance.now();
      ledger.cooling(candidate);
      const admission = ledger.reserve(candidate, 60_000);
      if (admission.kind !== "go") throw new Error(`the call is ${admission.kind}`);
      admission.flight.accepted();
      admission.flight.finish({ ok: true, text: "", servedBy: "acme/large", usage: { input: 1 } });
      times.push(performance.now() - started);
    }
    ledger.close();
    const beside = `opened in ${openMs.toFixed(0)} ms; median of ${calls}, durable`;
    return [
      { name: "the quota ledger, a call", value: median(times), unit: "ms", limit: 5, beside },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
