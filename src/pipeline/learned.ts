import type { Candidate, Cooling, Failure, FailureKind, Ledger } from "../contracts/index.ts";
import { coolingText, isLeft } from "./admission.ts";
import { rowOf } from "./failure-table.ts";

/** What a run has learned of providers, pools and models; it holds for every step. */
export interface Learned {
  /** What one step adds: its prompts are its own, so steps may stand inside each other. */
  step(): StepLearned;
}

/** What is known of candidates while one step asks them. */
export interface StepLearned {
  /** Why this candidate is not worth a call now, or undefined when it is. */
  reasonToSkip(candidate: Candidate, promptTokens: number): string | undefined;
  /** Until when its account is left alone; undefined: it is not, or it was called in this step. */
  coolsUntil(candidate: Candidate): Cooling | undefined;
  /** Takes in one failure. Gives the limit of the pool that is left for it. */
  note(candidate: Candidate, failure: Failure): Cooling | undefined;
  /** A candidate was called: its identity is used up for this step. */
  called(candidate: Candidate): void;
  /** Limits were waited for: who met one may be called again. */
  waited(): void;
}

/** Failures of a model that no other prompt would change. */
const faultsOfBinding: ReadonlySet<FailureKind> = new Set(["model_not_found", "wrong_model"]);

function modelOf(candidate: Candidate): string {
  const { adapter, provider, model } = candidate.binding;
  return [adapter, provider, model].join("\0").toLowerCase();
}

/** Failures that say nothing of a model, only of its account. */
const limits: ReadonlySet<FailureKind> = new Set(["usage_limit", "rate_limit"]);

/** Starts with what the ledger knows. `now` gives epoch milliseconds. */
export function createLearned(ledger: Ledger, now: () => number): Learned {
  const leftProviders = new Map<string, string>();
  const refusingProviders = new Set<string>();
  const misboundModels = new Map<string, FailureKind>();

  return {
    step() {
      /** They failed over this step's prompts; over others they may be called again. */
      const failedModels = new Map<string, FailureKind>();
      /** With the failure of their attempt, once it is over. */
      const called = new Map<string, FailureKind | undefined>();
      let overflowedWindow = 0;

      /** Nothing but a limit stands against it. */
      const isOpen = (candidate: Candidate): boolean => {
        const kind = called.get(candidate.identity);
        const isCallable = !called.has(candidate.identity) || (kind && limits.has(kind)) === true;
        const model = modelOf(candidate);
        const broken = misboundModels.get(model) ?? failedModels.get(model);
        const { provider } = candidate.binding;
        const isLeftOut = leftProviders.has(provider) || refusingProviders.has(provider);
        return isCallable && !isLeftOut && (broken === undefined || limits.has(broken));
      };

      return {
        reasonToSkip(candidate, promptTokens) {
          const { binding } = candidate;
          if (called.has(candidate.identity)) return "already called in this step";
          const cooling = ledger.cooling(candidate);
          if (cooling !== undefined && isLeft(cooling, now())) return coolingText(cooling);
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
        coolsUntil(candidate) {
          const cooling = ledger.cooling(candidate);
          return cooling?.scope === "pool" && isOpen(candidate) ? cooling : undefined;
        },
        note(candidate, failure) {
          const { binding } = candidate;
          if (called.has(candidate.identity)) called.set(candidate.identity, failure.kind);
          const cooling = ledger.note(candidate, failure);
          const row = rowOf(failure);
          if (row.blame === "provider") {
            const models = faultsOfBinding.has(failure.kind) ? misboundModels : failedModels;
            models.set(modelOf(candidate), failure.kind);
          }
          switch (row.move) {
            case "leave_pool":
              return cooling;
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
              return cooling && isLeft(cooling, now()) ? cooling : undefined;
            case "retry_then_next":
            case "same_once":
            case "same_once_told":
            case "same_told_then_whole":
            case "grow_pack_then_same":
            case "next":
            case "next_or_repair":
            case "rerun":
            case "stop":
              return undefined;
          }
        },
        called(candidate) {
          called.set(candidate.identity, undefined);
        },
        waited() {
          for (const [identity, kind] of called) {
            if (kind !== undefined && limits.has(kind)) called.delete(identity);
          }
          for (const [model, kind] of failedModels) {
            if (limits.has(kind)) failedModels.delete(model);
          }
        },
      };
    },
  };
}
