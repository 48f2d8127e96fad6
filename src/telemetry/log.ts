import type { RecordedEvent } from "../contracts/index.ts";

export const logLevels = ["trace", "debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

/** How much an event matters; what is not listed is `info`. */
const levels: { readonly [T in RecordedEvent["type"]]?: LogLevel } = {
  process_started: "trace",
  process_finished: "trace",
  effect_finished: "trace",
  observed: "trace",
  step_started: "debug",
  call_started: "debug",
  candidate_skipped: "debug",
  pool_left: "warn",
};

/**
 * A reader that writes each event as one JSON line of pino's: level, time, the event's type as
 * the message, and its fields under `event` (some are called as pino's own).
 *
 * @param write takes whole lines
 */
export async function openLog(
  level: LogLevel,
  write: (line: string) => void,
): Promise<(event: RecordedEvent) => void> {
  const { pino } = await import("pino");
  const log = pino({ level, base: {}, timestamp: pino.stdTimeFunctions.isoTime }, { write });
  return (event) => {
    const { type, ...fields } = event;
    log[levelOf(event)]({ event: fields }, type);
  };
}

function levelOf(event: RecordedEvent): LogLevel {
  if (event.type === "note") return event.level === "warning" ? "warn" : "info";
  const failed = "failure" in event && event.failure !== undefined;
  return failed ? "warn" : (levels[event.type] ?? "info");
}
