import type { RecordedEvent } from "../contracts/index.ts";

/** How good the estimate of prompt sizes was in a run. */
export interface EstimateReceipt {
  /** Name of the estimator. */
  readonly estimator: string;
  /** Of the prompts whose size the provider reported. */
  readonly estimatedTokens: number;
  /** Cached parts included. */
  readonly reportedTokens: number;
  /** Estimated ÷ reported, to three places. */
  readonly ratio: number;
}

/**
 * Estimate against report, over the calls whose provider said how long the prompt was; undefined
 * where none did. Providers count what they wrap around a prompt, so small prompts look worse.
 */
export function estimateOf(events: readonly RecordedEvent[]): EstimateReceipt | undefined {
  const started = new Map(
    events.flatMap((event) =>
      event.type === "call_started" ? [[event.call, event] as const] : [],
    ),
  );
  let estimator: string | undefined;
  let estimatedTokens = 0;
  let reportedTokens = 0;
  for (const event of events) {
    if (event.type !== "call_finished" || event.usage?.input === undefined) continue;
    const call = started.get(event.call);
    const { input, cacheRead = 0, cacheWrite = 0 } = event.usage;
    const reported = input + cacheRead + cacheWrite;
    if (call?.estimator === undefined || reported === 0) continue;
    ({ estimator } = call);
    estimatedTokens += call.promptTokens;
    reportedTokens += reported;
  }
  if (estimator === undefined) return undefined;
  const ratio = Number((estimatedTokens / reportedTokens).toFixed(3));
  return { estimator, estimatedTokens, reportedTokens, ratio };
}
