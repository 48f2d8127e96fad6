import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Emit } from "../contracts/index.ts";

/** What the process runner announces of each child it starts and ends. */
interface ProcessAnnouncement {
  readonly phase: "start" | "end";
  readonly id: string | number;
  readonly label?: string;
  readonly durationMs?: number;
}

const channel = "kit:process";

/**
 * Writes each child process that kit starts from now on into the log.
 *
 * @returns the function that ends it
 */
export function recordProcesses(emit: Emit): () => void {
  const listener = (message: unknown): void => {
    const { phase, id, label = "", durationMs = 0 } = message as ProcessAnnouncement;
    const process = String(id);
    const written =
      phase === "start"
        ? emit({ type: "process_started", process, label })
        : emit({ type: "process_finished", process, label, durationMs });
    // A log that cannot be written fails the next awaited event, which stops the run.
    written.catch(() => undefined);
  };
  subscribe(channel, listener);
  return () => {
    unsubscribe(channel, listener);
  };
}
