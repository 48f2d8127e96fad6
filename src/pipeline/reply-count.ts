import type { CallResult } from "../contracts/index.ts";
import { sha256 } from "../lib/text.ts";
import type { Turn } from "./calls.ts";

/** Whether a model answered: only such a call is over for good, others are made again on a resume. */
export function isReply(result: CallResult): boolean {
  if (result.ok) return true;
  const { kind } = result.failure;
  return kind === "truncated_reply" || kind === "reply_too_large";
}

/** What a call is in the record of a run. */
interface CallKey {
  readonly key: string;
  readonly inputHash: string;
}

/** Counts the replies to each kind of turn: the next one of that kind is another call. */
export interface ReplyCount {
  /**
   * Neither the prompt nor the number of the attempt is part of it: a resumed run meets other
   * durations in the output of tests, and may pass over who failed before.
   */
  next(turn: Turn): CallKey;
  add(turn: Turn, result: CallResult): void;
}

export function createReplyCount(): ReplyCount {
  const replies = new Map<string, number>();
  const kindOf = ({ step, candidate, about = "" }: Turn): string =>
    `${step}\0${candidate.identity}\0${about}`;
  return {
    next(turn) {
      const kind = kindOf(turn);
      const nth = (replies.get(kind) ?? 0) + 1;
      return {
        key: `call ${turn.step} ${turn.candidate.backend} ${nth}`,
        inputHash: sha256(`${kind}\0${turn.systemPrompt}`),
      };
    },
    add(turn, result) {
      const kind = kindOf(turn);
      if (isReply(result)) replies.set(kind, (replies.get(kind) ?? 0) + 1);
    },
  };
}
