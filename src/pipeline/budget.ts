import type { CallResult, Candidate, Failure } from "../contracts/index.ts";
import { replyAllowance } from "./window.ts";

/** What a run may spend; absent: no limit. */
export interface BudgetLimits {
  readonly budgetUsd?: number;
  /** Tokens read and written. */
  readonly budgetTokens?: number;
}

/** A candidate, as far as a call's cost goes. */
interface Priced {
  readonly binding: Pick<Candidate["binding"], "price" | "contextWindow">;
}

/** Counts what the calls of a run came to, and says when the next one would be too much. */
export interface Budget {
  /** Why this call is not made; undefined: there is room for it. */
  refuse(candidate: Candidate, promptTokens: number): Failure | undefined;
  /** Adds what a call came to, a useless one too. */
  charge(candidate: Priced, promptTokens: number, result: CallResult): void;
}

/** What a call comes to, where it is not known by what is likely. */
interface Amount {
  readonly tokens: number;
  readonly usd: number;
}

export function createBudget({ budgetUsd, budgetTokens }: BudgetLimits): Budget {
  let tokens = 0;
  let usd = 0;
  const over = (what: string, spent: string, next: string): Failure => ({
    kind: "budget",
    message: `the next call would go over ${what}: ${spent} spent, about ${next} more for it`,
  });

  return {
    refuse(candidate, promptTokens) {
      const next = estimate(candidate, promptTokens);
      if (budgetTokens !== undefined && tokens + next.tokens > budgetTokens) {
        return over(`--budget-tokens ${budgetTokens}`, `${tokens} tokens`, `${next.tokens}`);
      }
      if (budgetUsd === undefined) return undefined;
      if (candidate.binding.price === undefined) {
        const message = `${candidate.backend} has no price, so nothing could hold it to --budget-usd`;
        return { kind: "budget", message };
      }
      return usd + next.usd > budgetUsd
        ? over(`--budget-usd ${budgetUsd}`, dollars(usd), dollars(next.usd))
        : undefined;
    },
    charge(candidate, promptTokens, result) {
      const amount = amountOf(candidate, promptTokens, result);
      tokens += amount.tokens;
      usd += amount.usd;
    },
  };
}

/** The prompt, and a reply of the length that is kept free for it. */
function estimate({ binding }: Priced, promptTokens: number): Amount {
  const output = replyAllowance(binding.contextWindow);
  return { tokens: promptTokens + output, usd: priced(binding, promptTokens, output) };
}

function amountOf(candidate: Priced, promptTokens: number, result: CallResult): Amount {
  const { usage, costUsd } = result;
  const { binding } = candidate;
  if (usage?.input !== undefined || usage?.output !== undefined) {
    const input = (usage.input ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
    const output = usage.output ?? 0;
    return { tokens: input + output, usd: costUsd ?? priced(binding, input, output) };
  }
  // Refused before it was read: nobody charges for that.
  const isFree =
    !result.ok && result.partialText === undefined && result.failure.kind !== "timeout";
  if (isFree) return { tokens: 0, usd: costUsd ?? 0 };
  const likely = estimate(candidate, promptTokens);
  return { tokens: likely.tokens, usd: costUsd ?? likely.usd };
}

/** USD at the binding's price; without one nothing can be said, and no budget in USD is held. */
function priced({ price }: Priced["binding"], input: number, output: number): number {
  return price === undefined ? 0 : (input * price.input + output * price.output) / 1_000_000;
}

function dollars(usd: number): string {
  return `$${usd.toFixed(4)}`;
}
