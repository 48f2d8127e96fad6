import type { Candidate, FailureKind, Price, Route } from "../../../src/contracts/index.ts";
import type { RecordedAttempt } from "../../../src/routing/index.ts";

/** A candidate that is backend, model and identity in one name. */
export function candidate(name: string, price?: Price, degraded: string[] = []): Candidate {
  const binding = {
    adapter: "pi",
    provider: "acme",
    model: name,
    quotaPool: "acme",
    editFormat: "auto",
    extensions: false,
    ...(price && { price }),
  } as const;
  return { backend: name, binding, identity: name, degraded };
}

export function routeOf(...candidates: Candidate[]): Route {
  return { capability: "strong-code", candidates, skipped: [] };
}

/** One coder's attempt: green, or the kind it failed with. */
export function attempt(
  model: string,
  came: "green" | FailureKind,
  more: Partial<RecordedAttempt> = {},
): RecordedAttempt {
  return {
    runId: "run",
    step: "coder",
    capability: "strong-code",
    candidate: { backend: model, adapter: "pi", provider: "acme", model },
    editFormat: "auto",
    ok: came === "green",
    ...(came !== "green" && {
      failure: { kind: came, message: "x" } as RecordedAttempt["failure"] & object,
    }),
    costUnknown: 0,
    durationMs: 1000,
    ...more,
  };
}

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
