import pRetry from "p-retry";
import type {
  Adapter,
  CallResult,
  Candidate,
  CandidateName,
  Failure,
  Ledger,
} from "../contracts/index.ts";
import { redact } from "../lib/redaction.ts";
import { estimateTokens, sha256, tokenEstimator } from "../lib/text.ts";
import { admit } from "./admission.ts";
import { createBudget } from "./budget.ts";
import { rowOf } from "./failure-table.ts";
import type { PaidBefore } from "./paid-before.ts";
import type { Clock, RunLimits, RunRecord } from "./ports.ts";
import { createReplyCount, isReply } from "./reply-count.ts";

const MAX_REPLY_BYTES = 32 * 1024 * 1024;
/** Tries of one request in all when the provider is overloaded or out of reach. */
const TRIES = 3;
/** A call is ended at its limit; so long after it nobody waits for its end any more. */
const LEASE_SLACK_MS = 60_000;

/** The steps that call models. */
export type ModelStep = "scout" | "coder" | "review";

/** One prompt to one candidate, within an attempt. */
export interface Turn {
  readonly step: ModelStep;
  readonly attempt: number;
  readonly candidate: Candidate;
  readonly systemPrompt: string;
  readonly prompt: string;
  /**
   * Hash of what the answer is about, of a kind that does not change from one telling of the run to
   * the next as prompts do (durations, times): the files shown, the change to review.
   */
  readonly about?: string;
  /** Time is kept back for at least one of the candidates that come after. */
  readonly othersWait: boolean;
  /** As of `CallRequest`; not called for an answer that the record holds. */
  readonly onReply?: (text: string) => void;
}

/**
 * Sends prompts within the run's budgets, and records each request. Every prompt leaves masked,
 * whatever part of it brought a secret along: a provider's message, a pack, a command, a name.
 */
export interface Caller {
  send(turn: Turn): Promise<CallResult>;
  /** Milliseconds left for the run; `Infinity` without a limit. */
  remainingMs(): number;
  /** A step begins: its calls have the time of a step from now on. */
  beginStep(step: ModelStep): void;
}

interface CallerOptions {
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly ledger: Ledger;
  readonly limits: RunLimits;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly record: RunRecord;
  /** What earlier processes of this run paid for. */
  readonly paidBefore?: readonly PaidBefore[];
}

/** A call as the record keeps it for a resumed run. */
interface FinishedCall {
  readonly result: CallResult;
  readonly durationMs: number;
}

/** How records name a candidate. */
export function nameOf(candidate: Candidate): CandidateName {
  const { adapter, provider, model, thinking } = candidate.binding;
  return { backend: candidate.backend, adapter, provider, model, ...(thinking && { thinking }) };
}

/** `strong (provider/model:thinking)`, for prompts and people. */
export function candidateLabel(candidate: Candidate): string {
  const { provider, model, thinking } = candidate.binding;
  return `${candidate.backend} (${provider}/${model}${thinking ? `:${thinking}` : ""})`;
}

class Retryable extends Error {
  readonly result: Extract<CallResult, { ok: false }>;
  constructor(result: Extract<CallResult, { ok: false }>) {
    super(result.failure.message);
    this.result = result;
  }
}

/** The failure that an abort of the run's signal means; its reason may carry one. */
export function failureOfAbort(signal: AbortSignal): Failure {
  const reason: unknown = signal.reason;
  if (reason instanceof DOMException && reason.name === "TimeoutError") {
    return { kind: "deadline", message: "the run's time is used up (--timeout)" };
  }
  return { kind: "interrupted", message: "interrupted" };
}

export function createCaller(options: CallerOptions): Caller {
  const { limits, clock, signal, record } = options;
  const startedAt = clock.now();
  const budget = createBudget(limits);
  const earlier = options.paidBefore ?? [];
  for (const { binding, promptTokens, result } of earlier) {
    budget.charge({ binding }, promptTokens, result);
  }
  /** Prompts that a candidate has answered with usable text. */
  const answered = new Set<string>();
  const stepsBegan = new Map<ModelStep, number>();
  const replies = createReplyCount();
  /** Those that were paid, by earlier processes too; records count those that this one tells of. */
  let requests = earlier.length;
  let told = 0;

  const leftOf = (limitMs: number | undefined, from: number): number =>
    limitMs === undefined ? Number.POSITIVE_INFINITY : from + limitMs - clock.now();
  const remainingMs = (): number => leftOf(limits.timeoutMs, startedAt);

  const refuse = (failure: Failure): CallResult => ({ ok: false, failure });

  /** Milliseconds a call of this step may take, or why it may not be made. */
  function timeFor(step: ModelStep): number | Failure {
    const run = remainingMs();
    if (run <= 0) return { kind: "deadline", message: "the run's time is used up (--timeout)" };
    const ofStep = leftOf(limits.stepTimeoutMs, stepsBegan.get(step) ?? startedAt);
    if (ofStep > 0) return Math.min(run, ofStep);
    return { kind: "deadline", message: `the time of the ${step} is used up (--step-timeout)` };
  }

  async function request(turn: Turn, promptHash: string): Promise<CallResult> {
    const { step, attempt, candidate, prompt, systemPrompt } = turn;
    if (signal.aborted) return refuse(failureOfAbort(signal));
    const inputHash = sha256(`${candidate.identity}\0${systemPrompt}\0${prompt}`);
    const { key, inputHash: keyHash } = replies.next(turn);
    const promptTokens = estimateTokens(systemPrompt) + estimateTokens(prompt);
    const known = answered.has(inputHash)
      ? undefined
      : await record.recall<FinishedCall>(key, keyHash);
    if (known !== undefined) {
      told += 1;
      const call = told;
      const asked = { type: "call_started", step, attempt, call, prompt: promptHash } as const;
      await record.emit({ ...asked, promptTokens, estimator: tokenEstimator, replayed: true });
      replies.add(turn, known.result);
      if (known.result.ok) answered.add(inputHash);
      await recordResult(turn, call, known, true);
      return known.result;
    }
    if (requests >= limits.maxCalls) {
      return refuse({
        kind: "budget",
        message: `all ${limits.maxCalls} calls of this run are used up (--max-calls)`,
      });
    }
    const left = timeFor(step);
    if (typeof left !== "number") return refuse(left);
    if (answered.has(inputHash)) {
      const message = "it has answered this very prompt before";
      return refuse({ kind: "repeat", message });
    }
    const adapter = options.adapters.get(candidate.binding.adapter);
    if (adapter === undefined) {
      return refuse({
        kind: "model_not_found",
        message: `no adapter is called "${candidate.binding.adapter}"`,
      });
    }
    const tooMuch = budget.refuse(candidate, promptTokens);
    if (tooMuch !== undefined) return refuse(tooMuch);
    const timeoutMs = Math.min(limits.callTimeoutMs, turn.othersWait ? left / 2 : left);
    const admitted = await admit(candidate, timeoutMs + LEASE_SLACK_MS, options);
    if (!admitted.ok) return refuse(admitted.failure ?? failureOfAbort(signal));
    const { flight } = admitted;
    requests += 1;
    told += 1;
    const call = told;
    let result: CallResult | undefined;
    try {
      await record.emit({
        type: "call_started",
        step,
        attempt,
        call,
        prompt: promptHash,
        promptTokens,
        estimator: tokenEstimator,
      });
      const began = clock.now();
      const finished = await record.step(
        key,
        keyHash,
        async (): Promise<FinishedCall> => {
          const given = await adapter.call({
            candidate,
            systemPrompt,
            prompt,
            idleTimeoutMs: limits.callIdleTimeoutMs,
            timeoutMs,
            maxReplyBytes: MAX_REPLY_BYTES,
            signal,
            onProgress: () => flight.accepted(),
            ...(turn.onReply && { onReply: turn.onReply }),
          });
          return { result: given, durationMs: clock.now() - began };
        },
        (given) => isReply(given.result),
      );
      ({ result } = finished);
      // Before anything is written down: other runs wait for it.
      flight.finish(result);
      budget.charge(candidate, promptTokens, result);
      replies.add(turn, result);
      if (result.ok) answered.add(inputHash);
      await recordResult(turn, call, finished, false);
    } finally {
      if (result === undefined) flight.finish(refuse(failureOfAbort(signal)));
    }
    if (!result.ok && signal.aborted) return refuse(failureOfAbort(signal));
    return result;
  }

  async function recordResult(
    turn: Turn,
    call: number,
    { result, durationMs }: FinishedCall,
    isReplayed: boolean,
  ): Promise<void> {
    const text = result.ok ? result.text : result.partialText;
    const name = `attempts/${turn.step}-${turn.attempt}/reply-${call}.md`;
    const reply = text === undefined ? undefined : record.object(text, name);
    const isMasked = text !== undefined && reply !== sha256(text);
    for (const note of result.notes ?? []) {
      const message = `${candidateLabel(turn.candidate)}: ${note}`;
      await record.emit({ type: "note", level: "info", message });
    }
    const { usage, costUsd } = result;
    await record.emit({
      type: "call_finished",
      step: turn.step,
      attempt: turn.attempt,
      call,
      ok: result.ok,
      durationMs,
      ...(reply !== undefined && { reply }),
      ...(isMasked && { isMasked }),
      ...(!result.ok && { failure: result.failure }),
      ...(usage && { usage }),
      ...(costUsd !== undefined && { costUsd }),
      ...(isReplayed && { replayed: true }),
    });
  }

  async function announceRetry(turn: Turn, failure: Failure, tries: number): Promise<void> {
    const reason = `${candidateLabel(turn.candidate)}: ${failure.kind}, try ${tries} of ${TRIES} failed: ${failure.message}`;
    const ms = limits.retryWaitMs * 2 ** (tries - 1);
    await record.emit({ type: "waiting", reason, ms });
    await clock.sleep(ms, signal);
  }

  return {
    remainingMs,
    beginStep(step) {
      stepsBegan.set(step, clock.now());
    },
    async send(asked) {
      // Before it is hashed, recorded and sent: all three are of one text.
      const turn: Turn = {
        ...asked,
        systemPrompt: redact(asked.systemPrompt),
        prompt: redact(asked.prompt),
      };
      const name = `attempts/${turn.step}-${turn.attempt}/prompt-${told + 1}.md`;
      const promptHash = record.object(`${turn.systemPrompt}\n\n${turn.prompt}`, name);
      const once = async (): Promise<CallResult> => {
        const result = await request(turn, promptHash);
        if (!result.ok && rowOf(result.failure).move === "retry_then_next")
          throw new Retryable(result);
        return result;
      };
      try {
        return await pRetry(once, {
          retries: TRIES - 1,
          // The clock that is handed in waits, not the library's.
          minTimeout: 0,
          signal,
          shouldRetry: ({ error }) => error instanceof Retryable,
          onFailedAttempt: async ({ error, attemptNumber, retriesLeft }) => {
            if (error instanceof Retryable && retriesLeft > 0)
              await announceRetry(turn, error.result.failure, attemptNumber);
          },
        });
      } catch (error) {
        if (error instanceof Retryable) return error.result;
        if (signal.aborted) return refuse(failureOfAbort(signal));
        throw error;
      }
    },
  };
}
