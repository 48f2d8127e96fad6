import pRetry from "p-retry";
import type { Adapter, CallResult, Candidate, CandidateName, Failure } from "../contracts/index.ts";
import { estimateTokens, sha256, tokenEstimator } from "../lib/text.ts";
import { rowOf } from "./failure-table.ts";
import type { Clock, RunLimits, RunRecord } from "./ports.ts";

const MAX_REPLY_BYTES = 32 * 1024 * 1024;
/** Tries of one request in all when the provider is overloaded or out of reach. */
const TRIES = 3;

/** The steps that call models. */
export type ModelStep = "scout" | "coder" | "review";

/** One prompt to one candidate, within an attempt. */
export interface Turn {
  readonly step: ModelStep;
  readonly attempt: number;
  readonly candidate: Candidate;
  readonly systemPrompt: string;
  readonly prompt: string;
  /** Time is kept back for at least one of the candidates that come after. */
  readonly othersWait: boolean;
}

/** Sends prompts within the run's budgets, and records each request. */
export interface Caller {
  send(turn: Turn): Promise<CallResult>;
  /** Milliseconds left for the run; `Infinity` without a limit. */
  remainingMs(): number;
}

interface CallerOptions {
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly limits: RunLimits;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly record: RunRecord;
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
  let requests = 0;

  const remainingMs = (): number =>
    limits.timeoutMs === undefined
      ? Number.POSITIVE_INFINITY
      : startedAt + limits.timeoutMs - clock.now();

  const refuse = (failure: Failure): CallResult => ({ ok: false, failure });

  async function request(turn: Turn, promptHash: string): Promise<CallResult> {
    if (signal.aborted) return refuse(failureOfAbort(signal));
    if (requests >= limits.maxCalls) {
      return refuse({
        kind: "budget",
        message: `all ${limits.maxCalls} calls of this run are used up (--max-calls)`,
      });
    }
    const left = remainingMs();
    if (left <= 0)
      return refuse({ kind: "deadline", message: "the run's time is used up (--timeout)" });
    const adapter = options.adapters.get(turn.candidate.binding.adapter);
    if (adapter === undefined) {
      return refuse({
        kind: "model_not_found",
        message: `no adapter is called "${turn.candidate.binding.adapter}"`,
      });
    }
    requests += 1;
    const call = requests;
    const { step, attempt, candidate, prompt, systemPrompt } = turn;
    await record.emit({
      type: "call_started",
      step,
      attempt,
      call,
      prompt: promptHash,
      promptTokens: estimateTokens(systemPrompt) + estimateTokens(prompt),
      estimator: tokenEstimator,
    });
    const began = clock.now();
    const result = await record.step(
      `${step}/call-${call}`,
      sha256(`${candidate.identity}\0${systemPrompt}\0${prompt}`),
      () =>
        adapter.call({
          candidate,
          systemPrompt,
          prompt,
          idleTimeoutMs: limits.callIdleTimeoutMs,
          timeoutMs: Math.min(limits.callTimeoutMs, turn.othersWait ? left / 2 : left),
          maxReplyBytes: MAX_REPLY_BYTES,
          signal,
        }),
    );
    await recordResult(turn, call, result, clock.now() - began);
    if (!result.ok && signal.aborted) return refuse(failureOfAbort(signal));
    return result;
  }

  async function recordResult(
    turn: Turn,
    call: number,
    result: CallResult,
    durationMs: number,
  ): Promise<void> {
    const text = result.ok ? result.text : result.partialText;
    const name = `attempts/${turn.step}-${turn.attempt}/reply-${call}.md`;
    const reply = text === undefined ? undefined : await record.object(text, name);
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
      ...(!result.ok && { failure: result.failure }),
      ...(usage && { usage }),
      ...(costUsd !== undefined && { costUsd }),
    });
  }

  async function announceRetry(turn: Turn, failure: Failure, tries: number): Promise<void> {
    const reason = `${candidateLabel(turn.candidate)}: ${failure.kind}, try ${tries} of ${TRIES} failed: ${failure.message}`;
    await record.emit({ type: "waiting", reason, ms: limits.retryWaitMs * 2 ** (tries - 1) });
  }

  return {
    remainingMs,
    async send(turn) {
      const name = `attempts/${turn.step}-${turn.attempt}/prompt-${requests + 1}.md`;
      const promptHash = await record.object(`${turn.systemPrompt}\n\n${turn.prompt}`, name);
      const once = async (): Promise<CallResult> => {
        const result = await request(turn, promptHash);
        if (!result.ok && rowOf(result.failure).move === "retry_then_next")
          throw new Retryable(result);
        return result;
      };
      try {
        return await pRetry(once, {
          retries: TRIES - 1,
          minTimeout: limits.retryWaitMs,
          factor: 2,
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
