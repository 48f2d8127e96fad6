import type { CallResult, Candidate, CandidateName, RecordedEvent } from "../contracts/index.ts";
import { type PaidCall, paidCalls } from "../runs/index.ts";

/** A call that an earlier process of this run made, as far as its cost goes. */
export interface PaidBefore {
  readonly binding: Pick<Candidate["binding"], "price" | "contextWindow">;
  readonly promptTokens: number;
  readonly result: CallResult;
}

/**
 * What the earlier processes of a run paid for, so that its budgets count on.
 * @param before the log of the run so far
 * @param candidates those it may ask now: they know the prices
 */
export function paidBefore(
  before: readonly RecordedEvent[],
  candidates: readonly Candidate[],
): readonly PaidBefore[] {
  return paidCalls(before).map((call) => {
    const name = calledIn(call, before);
    const known = candidates.find(({ backend, binding }) => {
      return (
        backend === name?.backend &&
        binding.provider === name.provider &&
        binding.model === name.model
      );
    });
    return {
      binding: known?.binding ?? {},
      promptTokens: call.started?.promptTokens ?? 0,
      result: resultOf(call),
    };
  });
}

function calledIn(
  { started, finished }: PaidCall,
  before: readonly RecordedEvent[],
): CandidateName | undefined {
  const call = started ?? finished;
  const attempt = before.findLast(
    (event) =>
      event.type === "attempt_started" &&
      event.step === call?.step &&
      event.attempt === call.attempt &&
      event.seq < call.seq,
  );
  return attempt?.type === "attempt_started" ? attempt.candidate : undefined;
}

/** What nobody saw the end of may have been written to its end, and cost as much. */
function resultOf({ finished }: PaidCall): CallResult {
  const lost = { kind: "timeout", message: "kit was stopped during this call" } as const;
  if (finished === undefined) return { ok: false, failure: lost };
  const { ok, failure = lost, usage, costUsd, reply } = finished;
  const cost = { ...(usage && { usage }), ...(costUsd !== undefined && { costUsd }) };
  if (ok) return { ok, text: "", servedBy: "", ...cost };
  return { ok, failure, ...cost, ...(reply !== undefined && { partialText: "" }) };
}
