import { expect, test } from "vitest";
import type { CallResult } from "../../src/contracts/index.ts";
import { playAttempt } from "../../src/pipeline/attempt.ts";
import type { Turn } from "../../src/pipeline/calls.ts";
import { candidate } from "./support.ts";

test("a reply is read while its program ends, and judged when the call is over", async () => {
  const told: string[] = [];
  const reply: CallResult = { ok: true, text: "a pack", servedBy: "p0/scout" };
  const send = (turn: Turn): Promise<CallResult> => {
    turn.onReply?.("a pack");
    told.push("the call is over");
    return Promise.resolve(reply);
  };
  const player = {
    systemPrompt: "",
    prompt: () => Promise.resolve(""),
    readAhead: (text: string) => void told.push(`read: ${text}`),
    judge(text: string) {
      told.push(`judged: ${text}`);
      return Promise.resolve({ ok: true, value: text } as const);
    },
    tell: () => Promise.resolve(),
  };

  const played = await playAttempt({ step: "scout" } as never, { caller: { send } } as never, {
    candidate: candidate("p0/scout"),
    attempt: 1,
    player,
    prompt: "",
    isLast: true,
    othersWait: false,
    isNextLarger: () => false,
  });

  expect(played).toEqual({ judgement: { ok: true, value: "a pack" }, replied: true });
  expect(told).toEqual(["read: a pack", "the call is over", "judged: a pack"]);
});
