import { expect } from "vitest";
import type { Adapter, CallRequest, CallResult } from "../../src/contracts/index.ts";
import type { ConformanceSetup } from "./conformance.ts";
import { callOf } from "./support.ts";

/** A behaviour of every adapter that takes more than one reply to show. */
export interface Behaviour {
  readonly title: string;
  readonly show: (setup: ConformanceSetup) => Promise<void>;
}

/** A call to one of the server's models, by this setup's binding. */
function call(
  { adapter, binding }: ConformanceSetup,
  model: string,
  changes: Partial<CallRequest> = {},
): ReturnType<Adapter["call"]> {
  return adapter.call(callOf(`fake/${model}`, { ...changes, binding: binding ?? {} }));
}

function textOf(result: CallResult): string {
  return result.ok ? result.text : `${result.failure.kind}: ${result.failure.message}`;
}

export const behaviours: readonly Behaviour[] = [
  {
    title: "system prompt and prompt reach the model to the byte: unicode, CRLF, U+2028, 500 KB",
    async show(setup) {
      const odd = '— 😀 あ \u2028 "quoted" \\ --flag @file /command !bang\r\n';
      const prompt = `START\r\n${odd}${"0123456789abcde\n".repeat(32_000)}${odd}END`;

      const result = await call(setup, "echo", { prompt, systemPrompt: "BE A — TEST 😀." });

      expect(textOf(result)).toBe("read: END");
      const [request] = setup.server.requests;
      expect(request?.system).toContain("BE A — TEST 😀.");
      expect(request?.user).toContain(prompt);
    },
  },
  {
    title: "a prompt that looks like options is a prompt",
    async show(setup) {
      await call(setup, "echo", { prompt: "--help\n-p\n@/etc/passwd" });

      expect(setup.server.requests[0]?.user).toContain("--help\n-p\n@/etc/passwd");
    },
  },
  {
    title: "a call that is stopped is interrupted at once, and its request ends",
    async show(setup) {
      const stop = new AbortController();
      const calling = call(setup, "hang-mid", { signal: stop.signal });
      await expect.poll(() => setup.server.requests.length, { timeout: 20_000 }).toBe(1);
      const stoppedAt = performance.now();
      stop.abort();

      expect(await calling).toMatchObject({ ok: false, failure: { kind: "interrupted" } });
      expect(performance.now() - stoppedAt).toBeLessThan(5000);
      expect(setup.server.requests[0]?.answered).toBe(false);
    },
  },
  {
    title: "a call that was stopped before is not made",
    async show(setup) {
      const result = await call(setup, "ok", { signal: AbortSignal.abort() });

      expect(result).toMatchObject({ ok: false, failure: { kind: "interrupted" } });
      expect(setup.server.requests).toEqual([]);
    },
  },
  {
    title: "the deadline ends a call that is never silent",
    async show(setup) {
      const result = await call(setup, "slow-drip", { timeoutMs: 3000, idleTimeoutMs: 2500 });

      expect(result).toMatchObject({
        ok: false,
        failure: {
          kind: "timeout",
          message: expect.stringContaining("time-out after 3 s,") as string,
        },
      });
    },
  },
  {
    title: "four calls at once all come back, each with its own reply",
    async show(setup) {
      const calls = Array.from({ length: 4 }, (_, index) =>
        call(setup, "echo", {
          prompt: `call ${index}`,
          timeoutMs: 100_000,
          idleTimeoutMs: 100_000,
        }),
      );

      const texts = (await Promise.all(calls)).map(textOf);

      expect(texts).toEqual(calls.map((_, index) => `read: call ${index}`));
    },
  },
  {
    title: "bytes of reply are reported while they come",
    async show(setup) {
      const seen: number[] = [];

      await call(setup, "ok-1mb", { onProgress: (bytes) => seen.push(bytes) });

      expect(seen.at(-1)).toBeGreaterThanOrEqual(1_048_576);
      expect(seen).toEqual(seen.toSorted((one, other) => one - other));
    },
  },
  {
    title: "words about failures in a reply are a reply",
    async show(setup) {
      const words = "429 rate limit, quota, timeout, auth, author, context length exceeded";

      const result = await call(setup, "echo", { prompt: words });

      expect(textOf(result)).toBe(`read: ${words}`);
    },
  },
];
