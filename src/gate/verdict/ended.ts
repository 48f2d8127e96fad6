import { constants } from "node:os";
import type { CommandResult } from "../../contracts/index.ts";

/** True when a command exited with 0 and none of the tests that it tells apart failed. */
export function isGreen({ ended, tests }: CommandResult): boolean {
  const exited = ended.by === "exit" && ended.code === 0;
  return exited && tests?.some(({ status }) => status === "failed") !== true;
}

/** How a command ended, for people: `exit 1`, `signal 9 (SIGKILL)`, `stopped after 20 min`. */
export function endedText(ended: CommandResult["ended"]): string {
  if (ended.by === "signal") return signalText(ended.signal);
  if (ended.by === "deadline") {
    return `stopped after ${durationText(ended.afterMs)}, the time limit`;
  }
  if (ended.by === "idle") {
    return `stopped after ${durationText(ended.afterMs)}: no output for too long`;
  }
  if (ended.by === "abort") return "interrupted";
  if (ended.by === "spawn_error") return `could not be started: ${ended.message}`;
  const signal = signalOfCode(ended.code);
  return signal === undefined ? `exit ${ended.code}` : `exit ${ended.code}, ${signalText(signal)}`;
}

/** The signal behind a shell's exit code (128 + number); undefined for every other code. */
export function signalOfCode(code: number): string | undefined {
  if (code <= 128) return undefined;
  return Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
}

function signalText(signal: string): string {
  const number = constants.signals[signal as NodeJS.Signals];
  return `signal ${number} (${signal})`;
}

function durationText(ms: number): string {
  const minutes = ms / 60_000;
  return minutes >= 1 ? `${Math.round(minutes * 10) / 10} min` : `${Math.round(ms / 100) / 10} s`;
}
