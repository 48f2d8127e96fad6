import type { Candidate, Failure, FailureKind } from "../contracts/index.ts";
import { rowOf } from "./failure-table.ts";

const HOUR_MS = 3_600_000;

/** What a run has learned of providers, pools and models; it holds for every later step. */
export interface Learned {
  /** Why this candidate is not worth a call now, or undefined when it is. */
  reasonToSkip(candidate: Candidate, promptTokens: number): string | undefined;
  /** Takes in one failure. Gives the pool that was left, where that is the move. */
  note(
    candidate: Candidate,
    failure: Failure,
  ): { readonly pool: string; readonly until: string } | undefined;
  /** A candidate was called: its identity is used up for this step. */
  called(candidate: Candidate): void;
  /** A new step has other prompts: models that failed over theirs may be called again. */
  newStep(): void;
}

function modelOf(candidate: Candidate): string {
  const { adapter, provider, model } = candidate.binding;
  return [adapter, provider, model].join("\0").toLowerCase();
}

/** Starts with nothing learned. `now` gives epoch milliseconds. */
export function createLearned(now: () => number): Learned {
  const spentPools = new Map<string, number>();
  const leftProviders = new Map<string, string>();
  const refusingProviders = new Set<string>();
  const brokenModels = new Map<string, FailureKind>();
  let overflowedWindow = 0;
  let calledInStep = new Set<string>();

  return {
    reasonToSkip(candidate, promptTokens) {
      const { binding } = candidate;
      if (calledInStep.has(candidate.identity)) return "already called in this step";
      const until = spentPools.get(binding.quotaPool);
      if (until !== undefined && until > now()) return `quota pool ${binding.quotaPool} is spent`;
      const left = leftProviders.get(binding.provider);
      if (left !== undefined) return `provider ${binding.provider} was left: ${left}`;
      if (refusingProviders.has(binding.provider))
        return `provider ${binding.provider} refused this task`;
      const broken = brokenModels.get(modelOf(candidate));
      if (broken !== undefined) return `the same model failed: ${broken}`;
      if (binding.contextWindow !== undefined) {
        if (binding.contextWindow <= overflowedWindow)
          return `its window of ${binding.contextWindow} tokens is not larger than one that overflowed`;
        if (promptTokens > binding.contextWindow)
          return `the prompt of about ${promptTokens} tokens is over its window of ${binding.contextWindow}`;
      }
      return undefined;
    },
    note(candidate, failure) {
      const { binding } = candidate;
      const row = rowOf(failure);
      if (row.blame === "provider") brokenModels.set(modelOf(candidate), failure.kind);
      switch (row.move) {
        case "leave_pool": {
          const resetAt =
            failure.kind === "usage_limit" && failure.resetAt !== undefined
              ? Date.parse(failure.resetAt)
              : Number.NaN;
          const until = Number.isNaN(resetAt) ? now() + HOUR_MS : resetAt;
          spentPools.set(binding.quotaPool, until);
          return { pool: binding.quotaPool, until: new Date(until).toISOString() };
        }
        case "leave_provider":
          leftProviders.set(binding.provider, failure.kind);
          return undefined;
        case "other_provider":
          refusingProviders.add(binding.provider);
          return undefined;
        case "larger_window":
          overflowedWindow = Math.max(overflowedWindow, binding.contextWindow ?? 0);
          return undefined;
        case "wait_then_same":
        case "retry_then_next":
        case "same_once":
        case "same_once_told":
        case "grow_pack_then_same":
        case "next":
        case "next_or_repair":
        case "rerun":
        case "stop":
          return undefined;
      }
    },
    called(candidate) {
      calledInStep.add(candidate.identity);
    },
    newStep() {
      calledInStep = new Set();
      overflowedWindow = 0;
      for (const [model, kind] of brokenModels) {
        if (kind !== "model_not_found" && kind !== "wrong_model") brokenModels.delete(model);
      }
    },
  };
}
