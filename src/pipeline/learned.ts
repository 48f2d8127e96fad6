import type { Candidate, Failure, FailureKind } from "../contracts/index.ts";
import { rowOf } from "./failure-table.ts";

const HOUR_MS = 3_600_000;

/** What a run has learned of providers, pools and models; it holds for every step. */
export interface Learned {
  /** What one step adds: its prompts are its own, so steps may stand inside each other. */
  step(): StepLearned;
}

/** What is known of candidates while one step asks them. */
export interface StepLearned {
  /** Why this candidate is not worth a call now, or undefined when it is. */
  reasonToSkip(candidate: Candidate, promptTokens: number): string | undefined;
  /** Takes in one failure. Gives the pool that was left, where that is the move. */
  note(
    candidate: Candidate,
    failure: Failure,
  ): { readonly pool: string; readonly until: string } | undefined;
  /** A candidate was called: its identity is used up for this step. */
  called(candidate: Candidate): void;
}

/** Failures of a model that no other prompt would change. */
const faultsOfBinding: ReadonlySet<FailureKind> = new Set(["model_not_found", "wrong_model"]);

function modelOf(candidate: Candidate): string {
  const { adapter, provider, model } = candidate.binding;
  return [adapter, provider, model].join("\0").toLowerCase();
}

/** Starts with nothing learned. `now` gives epoch milliseconds. */
export function createLearned(now: () => number): Learned {
  const spentPools = new Map<string, number>();
  const leftProviders = new Map<string, string>();
  const refusingProviders = new Set<string>();
  const misboundModels = new Map<string, FailureKind>();

  return {
    step() {
      /** They failed over this step's prompts; over others they may be called again. */
      const failedModels = new Map<string, FailureKind>();
      const called = new Set<string>();
      let overflowedWindow = 0;

      return {
        reasonToSkip(candidate, promptTokens) {
          const { binding } = candidate;
          if (called.has(candidate.identity)) return "already called in this step";
          const until = spentPools.get(binding.quotaPool);
          if (until !== undefined && until > now())
            return `quota pool ${binding.quotaPool} is spent`;
          const left = leftProviders.get(binding.provider);
          if (left !== undefined) return `provider ${binding.provider} was left: ${left}`;
          if (refusingProviders.has(binding.provider))
            return `provider ${binding.provider} refused this task`;
          const model = modelOf(candidate);
          const broken = misboundModels.get(model) ?? failedModels.get(model);
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
          if (row.blame === "provider") {
            const models = faultsOfBinding.has(failure.kind) ? misboundModels : failedModels;
            models.set(modelOf(candidate), failure.kind);
          }
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
          called.add(candidate.identity);
        },
      };
    },
  };
}
