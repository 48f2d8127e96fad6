import { expect, test, vi } from "vitest";
import type { CallResult } from "../../src/contracts/index.ts";
import { playAttempt } from "../../src/pipeline/attempt.ts";
import { candidate } from "./support.ts";

/** One turn with a model that answers when `answered` settles; gives how often the reader rehearsed. */
async function rehearsals(answered: (passed: (ms: number) => void) => void): Promise<number> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const rehearse = vi.fn<() => void>();
  const reply: CallResult = { ok: true, text: "a pack", servedBy: "p0/scout" };
  const send = (): Promise<CallResult> => {
    answered((ms) => void vi.advanceTimersByTime(ms));
    return Promise.resolve(reply);
  };
  const player = {
    systemPrompt: "",
    prompt: () => Promise.resolve(""),
    rehearse,
    judge: (text: string) => Promise.resolve({ ok: true, value: text } as const),
    tell: () => Promise.resolve(),
  };
  try {
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
    vi.advanceTimersByTime(60_000);
    return rehearse.mock.calls.length;
  } finally {
    vi.useRealTimers();
  }
}

test("the reader of replies rehearses once while a model thinks, and its reply is what counts", async () => {
  expect(await rehearsals((passed) => passed(30_000))).toBe(1);
});

test("it does not rehearse for a model that answers at once, nor afterwards", async () => {
  expect(await rehearsals((passed) => passed(5))).toBe(0);
});
