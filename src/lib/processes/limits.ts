import type { ProcessEnding } from "./types.ts";

/** What may end a child from outside. Milliseconds. */
export interface LimitRequest {
  readonly timeoutMs?: number | undefined;
  readonly idleTimeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Timers of at most 2^31-1 ms; Node fires longer ones at once. */
const longestTimerMs = 2_147_483_647;

/** The limits of one running child; the first one met wins. */
export class Limits {
  readonly reached: Promise<ProcessEnding>;
  #reach: (ending: ProcessEnding) => void = () => undefined;
  #idle: NodeJS.Timeout | undefined;
  readonly #cleanUp: (() => void)[] = [];

  constructor({ timeoutMs, idleTimeoutMs, signal }: LimitRequest) {
    this.reached = new Promise((resolve) => (this.#reach = resolve));
    if (timeoutMs !== undefined) this.#after(timeoutMs, { by: "deadline" });
    if (idleTimeoutMs !== undefined) this.#idle = this.#after(idleTimeoutMs, { by: "idle" });
    if (signal !== undefined) {
      const abort = (): void => this.stop({ by: "abort" });
      signal.addEventListener("abort", abort, { once: true });
      this.#cleanUp.push(() => signal.removeEventListener("abort", abort));
      if (signal.aborted) abort();
    }
  }

  /** A sign of life: the idle limit starts anew. */
  alive(): void {
    this.#idle?.refresh();
  }

  stop(ending: ProcessEnding): void {
    this.#reach(ending);
  }

  /** Once the child and its family are gone. */
  release(): void {
    for (const undo of this.#cleanUp) undo();
  }

  #after(ms: number, ending: ProcessEnding): NodeJS.Timeout {
    const timer = setTimeout(() => this.stop(ending), Math.min(ms, longestTimerMs));
    this.#cleanUp.push(() => clearTimeout(timer));
    return timer;
  }
}
