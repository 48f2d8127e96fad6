import type { Agent, Candidate, Failure, Ledger, Route } from "../contracts/index.ts";
import { estimateTokens } from "../lib/text.ts";
import { playAttempt } from "./attempt.ts";
import { candidateLabel, type Caller, failureOfAbort, type ModelStep, nameOf } from "./calls.ts";
import { rowOf } from "./failure-table.ts";
import type { Learned, StepLearned } from "./learned.ts";
import type { Clock, Ladder, RunRecord } from "./ports.ts";
import { allSpent, type Cooled } from "./spent.ts";

/** What a step makes of a reply. */
export type Judgement<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

/** One candidate's turn in a step: it remembers what was said within the attempt. */
export interface Player<T> {
  readonly systemPrompt: string;
  /**
   * The prompt as it stands now, with everything the candidate was told since.
   * @param maxTokens of the prompt alone, where its window is smaller than it says
   */
  prompt(maxTokens?: number): Promise<string>;
  judge(reply: string): Promise<Judgement<T>>;
  /**
   * The reply is there, though the call may yet fail: does of `judge` what changes nothing, while
   * the program that gave the reply ends.
   */
  readAhead?(reply: string): void;
  /** Hash of what the prompt asks about, without what changes by itself; as `Turn.about`. */
  about?(): string;
  /** The candidate gets another turn after this failure. */
  tell(failure: Failure): Promise<void>;
  /** Asks for whole files from now on, after this failure; false where that would change nothing. */
  askWhole?(failure: Failure): boolean;
}

/** One step of a run that asks a route's candidates in order. */
export interface Climb<T> {
  readonly step: ModelStep;
  readonly agent: Agent;
  readonly route: Route;
  /** Number of the first attempt; default 1. */
  readonly firstAttempt?: number;
  /** Asked in order once the route has nobody left. */
  readonly ladder?: Ladder | undefined;
  /** How long it waits for spent accounts once nobody else is left; absent: not at all. */
  readonly waitMs?: number | undefined;
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
  readonly ledger: Ledger;
  readonly learned: Learned;
  readonly record: RunRecord;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Asks the candidates of a route in order until one succeeds, then those of the ladder's rungs
 * above it. Every failure is looked up in the failure table; candidates that returned no reply do
 * not count against `maxAttempts`.
 */
export async function climbRoute<T>(climb: Climb<T>, tools: ClimbTools): Promise<ClimbResult<T>> {
  const { caller, record, clock, signal } = tools;
  const { step, ladder } = climb;
  caller.beginStep(step);
  const learned = tools.learned.step();
  const rungs = [climb.route, ...(ladder?.routes ?? [])];
  const asking = createAsking(climb, tools, learned);
  let capability = climb.route.capability;
  for (const [index, rung] of rungs.entries()) {
    if (rung.candidates.length === 0) continue;
    if (ladder !== undefined && index > 0) {
      const to = rung.capability;
      await record.emit({
        type: "climbed",
        step,
        agent: climb.agent.name,
        ladder: ladder.name,
        from: capability,
        to,
      });
      capability = to;
    }
    const above = rungs.slice(index + 1).flatMap(({ candidates }) => candidates);
    const result = await asking.ask(rung.capability, rung.candidates, above);
    if (result !== undefined) return result;
  }
  const until = clock.now() + (climb.waitMs ?? 0);
  for (;;) {
    const cooling = rungs.flatMap(({ capability: asked, candidates }) =>
      candidates.flatMap((candidate) => {
        const limit = learned.coolsUntil(candidate);
        return limit === undefined ? [] : [{ asked, candidate, limit }];
      }),
    );
    const first = Math.min(...cooling.map(({ limit }) => limit.until));
    if (cooling.length === 0 || first > until) return asking.nobodyLeft(cooling);
    const waiting = cooling.map(({ candidate }) => candidate.backend).join(", ");
    const ms = Math.max(0, first - clock.now());
    await record.emit({ type: "waiting", reason: `every account is spent: ${waiting}`, ms });
    await clock.sleep(ms, signal);
    if (signal.aborted) return asking.stopped(failureOfAbort(signal));
    learned.waited();
    for (const { asked, candidate } of cooling) {
      const result = await asking.ask(asked, [candidate], []);
      if (result !== undefined) return result;
    }
  }
}

/** The attempts of one step, counted across the rungs. */
interface Asking<T> {
  /** Asks these in order; undefined: none of them succeeded, and others may be asked. */
  ask(
    capability: string,
    candidates: readonly Candidate[],
    above: readonly Candidate[],
  ): Promise<ClimbResult<T> | undefined>;
  stopped(failure: Failure): ClimbResult<T>;
  nobodyLeft(cooling: readonly Cooled[]): ClimbResult<T>;
}

function createAsking<T>(climb: Climb<T>, tools: ClimbTools, learned: StepLearned): Asking<T> {
  const { record, ledger, clock } = tools;
  const { step } = climb;
  let attempts = 0;
  let replies = 0;
  let lastFailure: Failure | undefined;

  const stopped = (failure: Failure): ClimbResult<T> => {
    return { ok: false, end: "stopped", replied: replies > 0, failure };
  };

  /** Those that another run found overloaded a moment ago come last. */
  async function inOrder(candidates: readonly Candidate[]): Promise<readonly Candidate[]> {
    const last = candidates.filter((candidate) => ledger.askedLast(candidate) !== undefined);
    if (last.length === 0 || last.length === candidates.length) return candidates;
    const labels = last.map(candidateLabel).join(", ");
    const message = `Asked after the others, as another run could not reach it: ${labels}`;
    await record.emit({ type: "note", level: "info", message });
    return [...candidates.filter((candidate) => !last.includes(candidate)), ...last];
  }

  async function askOne(
    capability: string,
    candidate: Candidate,
    after: readonly Candidate[],
  ): Promise<ClimbResult<T> | undefined> {
    const attempt = (climb.firstAttempt ?? 1) + attempts;
    const player = climb.play(candidate, attempt);
    const prompt = await player.prompt();
    const size = estimateTokens(player.systemPrompt) + estimateTokens(prompt);
    const reason = learned.reasonToSkip(candidate, size);
    if (reason !== undefined) {
      const until = ledger.cooling(candidate)?.until;
      await record.emit({
        type: "candidate_skipped",
        step,
        candidate: nameOf(candidate),
        reason,
        ...(until !== undefined && { until: isoTime(until) }),
      });
      return undefined;
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
    const othersLeft = (): boolean =>
      after.some((next) => learned.reasonToSkip(next, size) === undefined);
    const othersWait = othersLeft();
    const isLast = !othersWait || replies + 1 >= climb.maxAttempts;
    const began = clock.now();
    await record.emit({
      type: "attempt_started",
      step,
      attempt,
      agent: climb.agent.name,
      capability,
      candidate: nameOf(candidate),
      ...(step === "coder" && { editFormat: candidate.binding.editFormat }),
    });
    const { judgement, replied } = await playAttempt(climb, tools, {
      candidate,
      attempt,
      player,
      isLast,
      prompt,
      othersWait,
      isNextLarger(failure) {
        learned.note(candidate, failure);
        return othersLeft();
      },
    });
    const durationMs = clock.now() - began;
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
    if (move === "stop" || move === "rerun") return stopped(failure);
    const left = learned.note(candidate, failure);
    if (left !== undefined)
      await record.emit({ type: "pool_left", pool: left.name, until: isoTime(left.until) });
    await climb.onFailure(candidate, attempt, failure, isLast);
    return undefined;
  }

  return {
    stopped,
    async ask(capability, candidates, above) {
      const queue = await inOrder(candidates);
      for (const [index, candidate] of queue.entries()) {
        const after = [...queue.slice(index + 1), ...above];
        const result = await askOne(capability, candidate, after);
        if (result !== undefined) return result;
      }
      return undefined;
    },
    nobodyLeft(cooling) {
      const failure = cooling.length > 0 && replies === 0 ? allSpent(cooling) : lastFailure;
      return {
        ok: false,
        end: attempts > 0 ? "exhausted" : "no_call",
        replied: replies > 0,
        ...(failure && { failure }),
      };
    },
  };
}

function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
