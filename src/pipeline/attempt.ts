import type { Candidate, Failure, FailureKind } from "../contracts/index.ts";
import { estimateTokens } from "../lib/text.ts";
import { LONGEST_WAIT_MS } from "./admission.ts";
import { candidateLabel, failureOfAbort } from "./calls.ts";
import type { Climb, ClimbTools, Judgement, Player } from "./climb.ts";
import { rowOf } from "./failure-table.ts";
import { isReply } from "./reply-count.ts";

const UNKNOWN_WAIT_MS = 10_000;
/** Of a prompt that was too long, what is sent where no larger window is left. */
const TRIMMED_SHARE = 0.6;

interface AttemptResult<T> {
  readonly judgement: Judgement<T>;
  readonly replied: boolean;
}

/** What stands when an attempt begins. */
interface AttemptOptions<T> {
  readonly candidate: Candidate;
  readonly attempt: number;
  readonly player: Player<T>;
  /** For the first turn. */
  readonly prompt: string;
  readonly isLast: boolean;
  readonly othersWait: boolean;
  /** Whether somebody with a larger window is left, after an overflow. */
  isNextLarger(failure: Failure): boolean;
}

/** One candidate's turn, with every further turn that the failure table gives it. */
export async function playAttempt<T>(
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
    const turn = {
      step: climb.step,
      attempt,
      candidate,
      systemPrompt,
      prompt,
      ...(player.about && { about: player.about() }),
      othersWait,
      onReply: (reply: string) => player.readAhead?.(reply),
    };
    const result = await tools.caller.send(turn);
    replied ||= isReply(result);
    const judgement: Judgement<T> = result.ok ? await player.judge(result.text) : result;
    if (judgement.ok) return { judgement, replied };
    const { failure } = judgement;
    const { move } = rowOf(failure);
    if (move === "larger_window" && !again.has(failure.kind) && !options.isNextLarger(failure)) {
      again.add(failure.kind);
      const tokens = estimateTokens(prompt);
      prompt = await player.prompt(Math.floor(tokens * TRIMMED_SHARE));
      if (estimateTokens(prompt) < tokens) continue;
    }
    if (move === "same_told_then_whole" && again.has(failure.kind) && player.askWhole?.(failure)) {
      prompt = await player.prompt();
      continue;
    }
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
    case "same_told_then_whole":
    case "grow_pack_then_same":
      return 0;
    case "wait_then_same": {
      const told = failure.kind === "rate_limit" ? failure.retryAfterMs : undefined;
      const ms = told ?? UNKNOWN_WAIT_MS;
      return ms <= LONGEST_WAIT_MS ? ms : undefined;
    }
    case "next_or_repair":
      return mayRepair(failure, repairs, isLast) ? 0 : undefined;
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

/** After red tests: the last candidate, or with `progress` any that left fewer of them red. */
function mayRepair(failure: Failure, repairs: Climb<unknown>["repairs"], isLast: boolean): boolean {
  if (repairs !== "progress") return repairs === "last" && isLast;
  return failure.kind === "tests_failed" && failure.progress === true;
}
