// One kit process of the simulation: takes tasks until there are none, asks the candidates of its
// route through the pipeline's own caller, and tells what happened as JSON lines.
import { appendFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Adapter, Agent, Candidate } from "../../../../src/contracts/index.ts";
import { createCaller } from "../../../../src/pipeline/calls.ts";
import { climbRoute } from "../../../../src/pipeline/climb.ts";
import { createLearned } from "../../../../src/pipeline/learned.ts";
import { ownIdentity } from "../../../../src/lib/processes/index.ts";
import { openStore } from "../../../../src/lib/store.ts";
import { ledgerFile } from "../../../../src/routing/index.ts";
import { createLedger } from "../../../../src/routing/quota/ledger.ts";
import { ledgerSchema } from "../../../../src/routing/quota/tables.ts";
import { candidateOf } from "../support.ts";
import { openWorld } from "./world.ts";

const [folder = "", name = "", paceText = "1"] = process.argv.slice(2);
/** Simulated milliseconds in a real one. */
const pace = Number(paceText);
const now = (): number => Date.now() * pace;
const say = (event: object): void =>
  appendFileSync(
    `${folder}/events.jsonl`,
    `${JSON.stringify({ by: name, at: now(), ...event })}\n`,
  );

// Providers of a busy machine take their time: knocks are counted in real seconds.
const store = await openStore(ledgerFile(folder), ledgerSchema);
const knockMs = 5_000 * pace;
const ledger = createLedger(store, { now, self: ownIdentity(), run: name, knockMs });
const world = await openWorld(folder, now);
const signal = new AbortController().signal;
const clock = {
  now,
  sleep: (ms: number) => delay(Math.ceil(ms / pace)),
};
const record = {
  id: name,
  folder: "",
  emit: () => Promise.resolve(),
  object: () => "",
  observe: <T>(_key: string, look: () => Promise<T>): Promise<T> => look(),
  step: <T>(_key: string, _hash: string, effect: () => Promise<T>): Promise<T> => effect(),
  recall: () => Promise.resolve(undefined),
  before: [],
};

const adapter: Adapter = {
  name: "in-process",
  check: () => Promise.resolve({ program: "in-process", version: "1" }),
  models: () => Promise.resolve([]),
  async call({ candidate, onProgress }) {
    const pool = candidate.binding.quotaPool;
    const answer = await world.request(pool);
    say({ type: "call", pool, ...answer });
    if (answer.resetAt !== undefined) {
      const failure = { kind: "usage_limit" as const, message: "spent", resetAt: answer.resetAt };
      return { ok: false, failure };
    }
    onProgress?.(1);
    await delay(20);
    return { ok: true, text: "done", usage: { input: 10, output: 5 }, servedBy: pool };
  },
};

const agent = { name: "coder" } as Agent;
const pools = ["p0/m", "p1/m", "p2/m"].map((each) => candidateOf(each));
for (let task = world.takeTask(); task !== undefined; task = world.takeTask()) {
  const first = task % pools.length;
  const candidates: readonly Candidate[] = [...pools.slice(first), ...pools.slice(0, first)];
  const limits = {
    maxAttempts: 3,
    maxCalls: 50,
    callTimeoutMs: 600_000,
    callIdleTimeoutMs: 600_000,
    retryWaitMs: 1,
    gateTimeoutMs: 1,
    baselineWaitMs: 1,
  };
  const adapters = new Map([[adapter.name, adapter]]);
  const caller = createCaller({ adapters, ledger, limits, clock, signal, record });
  const learned = createLearned(ledger, now);
  const result = await climbRoute(
    {
      step: "coder",
      agent,
      route: { capability: "code", candidates, skipped: [] },
      waitMs: 24 * 3_600_000,
      maxAttempts: 3,
      repairs: "off",
      play: () => ({
        systemPrompt: "",
        prompt: () => Promise.resolve(`task ${task}`),
        judge: (value) => Promise.resolve({ ok: true as const, value }),
        tell: () => Promise.resolve(),
      }),
      onFailure: () => Promise.resolve(),
    },
    { caller, learned, ledger, record, clock, signal },
  );
  say({ type: "task", task, ok: result.ok });
}
store.close();
