import { createInterface } from "node:readline";
import type { Io } from "./io.ts";

/** Asks a person yes or no, one question after the other. */
export interface Asker {
  /** True for `y` and `yes` alone: an empty line, the end of the input and all else is a no. */
  confirm(question: string): Promise<boolean>;
  /** No more questions: the terminal is let go. */
  close(): void;
}

/** Whether somebody is there to answer: both ways lead to a terminal. */
export function canAsk(io: Io): boolean {
  return io.stderr.isTerminal && io.stdin.isTTY === true;
}

/**
 * Line by line, the terminal in its own mode: Ctrl-C stays Ctrl-C, and nothing is left switched.
 * Questions go to stderr.
 *
 * @param signal ends the wait; the answer is then a throw, never a yes
 */
export function createAsker(io: Io, signal: AbortSignal): Asker {
  const lines = createInterface({ input: io.stdin, terminal: false });
  const answers = lines[Symbol.asyncIterator]();
  return {
    async confirm(question) {
      io.stderr.write(`${question} [y/N] `);
      const { value, done } = await answers.next();
      signal.throwIfAborted();
      if (done === true) io.stderr.write("\n");
      return done !== true && /^\s*y(?:es)?\s*$/i.test(value);
    },
    close() {
      lines.close();
    },
  };
}
