import type { Agent, Candidate, Failure, FailureKind, Route } from "../contracts/index.ts";
import { estimateTokens } from "../lib/text.ts";
import { candidateLabel, type Caller, failureOfAbort, type ModelStep, nameOf } from "./calls.ts";
import { rowOf } from "./failure-table.ts";
import type { Learned } from "./learned.ts";
import type { Clock, RunRecord } from "./ports.ts";

const LONGEST_WAIT_MS = 60_000;
const UNKNOWN_WAIT_MS = 10_000;

/** What a step makes of a reply. */
export type Judgement<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

/** One candidate's turn in a step: it remembers what was said within the attempt. */
export interface Player<T> {
  readonly systemPrompt: string;
  /** The prompt as it stands now, with everything the candidate was told since. */
  prompt(): Promise<string>;
  judge(reply: string): Promise<Judgement<T>>;
  /** The candidate gets another turn after this failure. */
  tell(failure: Failure): Promise<void>;
}

/** One step of a run that asks a route's candidates in order. */
export interface Climb<T> {
  readonly step: ModelStep;
  readonly agent: Agent;
  readonly route: Route;
  /** Number of the first attempt; default 1. */
  readonly firstAttempt?: number;
  readonly maxAttempts: number;
  readonly repairs: "last" | "progress" | "off";
  play(candidate: Candidate, attempt: number): Player<T>;
  /** An attempt is over without success; the next candidate, where there is one, will be told. */
  onFailure(
    candidate: Candidate,
    attempt: number,
    failure: Failure,
    isLast: boolean,
  ): Promise<void>;
}

export type ClimbResult<T> =
  | { readonly ok: true; readonly value: T; readonly attempts: number }
  | {
      readonly ok: false;
      /** `stopped`: a failure that ends the run; `no_call`: nobody could be asked. */
      readonly end: "no_call" | "exhausted" | "stopped";
      /** At least one candidate returned a reply. */
      readonly replied: boolean;
      readonly failure?: Failure;
      readonly nextCandidate?: Candidate;
    };

export interface ClimbTools {
  readonly caller: Caller;
  readonly learned: Learned;
  readonly record: RunRecord;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

interface AttemptResult<T> {
  readonly judgement: Judgement<T>;
  readonly replied: boolean;
}

/**
 * Asks the candidates of a route in order until one succeeds. Every failure is looked up in the
 * failure table; candidates that returned no reply do not count against `maxAttempts`.
 */
export async function climbRoute<T>(climb: Climb<T>, tools: ClimbTools): Promise<ClimbResult<T>> {
  const { record } = tools;
  const { step, route } = climb;
  const learned = tools.learned.step();
  let attempts = 0;
  let replies = 0;
  let lastFailure: Failure | undefined;

  for (const [index, candidate] of route.candidates.entries()) {
    const attempt = (climb.firstAttempt ?? 1) + attempts;
    const player = climb.play(candidate, attempt);
    const prompt = await player.prompt();
    const size = estimateTokens(player.systemPrompt) + estimateTokens(prompt);
    const reason = learned.reasonToSkip(candidate, size);
    if (reason !== undefined) {
      await record.emit({ type: "candidate_skipped", step, candidate: nameOf(candidate), reason });
      continue;
    }
    if (replies >= climb.maxAttempts) {
      return {
        ok: false,
        end: "exhausted",
        replied: true,
        nextCandidate: candidate,
        ...(lastFailure && { failure: lastFailure }),
      };
    }
    attempts += 1;
    learned.called(candidate);
    const others = route.candidates
      .slice(index + 1)
      .filter((next) => learned.reasonToSkip(next, size) === undefined);
    const isLast = others.length === 0 || replies + 1 >= climb.maxAttempts;
    const began = tools.clock.now();
    await record.emit({
      type: "attempt_started",
      step,
      attempt,
      agent: climb.agent.name,
      capability: route.capability,
      candidate: nameOf(candidate),
    });
    const { judgement, replied } = await playAttempt(climb, tools, {
      candidate,
      attempt,
      player,
      isLast,
      prompt,
      othersWait: others.length > 0,
    });
    const durationMs = tools.clock.now() - began;
    if (replied) replies += 1;
    if (judgement.ok) {
      await record.emit({ type: "attempt_finished", step, attempt, ok: true, durationMs });
      return { ok: true, value: judgement.value, attempts };
    }
    const { failure } = judgement;
    lastFailure = failure;
    const { move } = rowOf(failure);
    await record.emit({
      type: "attempt_finished",
      step,
      attempt,
      ok: false,
      failure,
      move,
      durationMs,
    });
    // Tests that nobody can rely on judge the next model no better.
    if (move === "stop" || move === "rerun")
      return { ok: false, end: "stopped", replied: replies > 0, failure };
    const left = learned.note(candidate, failure);
    if (left !== undefined)
      await record.emit({ type: "pool_left", pool: left.pool, until: left.until });
    await climb.onFailure(candidate, attempt, failure, isLast);
  }
  return {
    ok: false,
    end: attempts > 0 ? "exhausted" : "no_call",
    replied: replies > 0,
    ...(lastFailure && { failure: lastFailure }),
  };
}

interface AttemptOptions<T> {
  readonly candidate: Candidate;
  readonly attempt: number;
  readonly player: Player<T>;
  /** For the first turn. */
  readonly prompt: string;
  readonly isLast: boolean;
  readonly othersWait: boolean;
}

async function playAttempt<T>(
  climb: Climb<T>,
  tools: ClimbTools,
  options: AttemptOptions<T>,
): Promise<AttemptResult<T>> {
  const { player, candidate, attempt, othersWait } = options;
  const again = new Set<FailureKind>();
  let { prompt } = options;
  let replied = false;
  for (;;) {
    const { systemPrompt } = player;
    const result = await tools.caller.send({
      step: climb.step,
      attempt,
      candidate,
      systemPrompt,
      prompt,
      othersWait,
    });
    replied ||=
      result.ok ||
      result.failure.kind === "truncated_reply" ||
      result.failure.kind === "reply_too_large";
    const judgement: Judgement<T> = result.ok ? await player.judge(result.text) : result;
    if (judgement.ok) return { judgement, replied };
    const { failure } = judgement;
    const waitMs = again.has(failure.kind)
      ? undefined
      : waitBeforeAnotherTurn(failure, climb.repairs, options.isLast);
    if (waitMs === undefined) return { judgement, replied };
    again.add(failure.kind);
    if (waitMs > 0) {
      await tools.record.emit({
        type: "waiting",
        reason: `${candidateLabel(candidate)}: ${failure.kind}: ${failure.message}`,
        ms: waitMs,
      });
      await tools.clock.sleep(waitMs, tools.signal);
      if (tools.signal.aborted)
        return { judgement: { ok: false, failure: failureOfAbort(tools.signal) }, replied };
    }
    await player.tell(failure);
    prompt = await player.prompt();
  }
}

/** Milliseconds to wait before the same candidate gets another turn; undefined: it gets none. */
function waitBeforeAnotherTurn(
  failure: Failure,
  repairs: Climb<unknown>["repairs"],
  isLast: boolean,
): number | undefined {
  switch (rowOf(failure).move) {
    case "same_once":
    case "same_once_told":
    case "grow_pack_then_same":
      return 0;
    case "wait_then_same": {
      const told = failure.kind === "rate_limit" ? failure.retryAfterMs : undefined;
      const ms = told ?? UNKNOWN_WAIT_MS;
      return ms <= LONGEST_WAIT_MS ? ms : undefined;
    }
    case "next_or_repair":
      return isLast && repairs !== "off" ? 0 : undefined;
    case "leave_pool":
    case "leave_provider":
    case "other_provider":
    case "larger_window":
    case "retry_then_next":
    case "next":
    case "rerun":
    case "stop":
      return undefined;
  }
}
