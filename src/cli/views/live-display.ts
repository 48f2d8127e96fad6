import type { RecordedEvent } from "../../contracts/index.ts";
import type { Output } from "../io.ts";
import { createPaint, formatDuration } from "./format.ts";
import { createRunNarrator, type Detail } from "./run-narrator.ts";

/** Shows a run while it goes on. */
export interface LiveDisplay {
  /** A reader of the event log. */
  show(event: RecordedEvent): void;
  /** Takes the moving line away; nothing moves any more. */
  stop(): void;
}

const frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const frameMs = 100;

/**
 * Writes the lines of a run to `output`. On a terminal, one more line below them moves: what goes
 * on, and for how long. Elsewhere the lines come alone.
 */
export function createLiveDisplay(output: Output, detail: Detail, clock: () => Date): LiveDisplay {
  const paint = createPaint(output.colour);
  const tell = createRunNarrator(paint, detail);
  const moves = output.isTerminal && detail !== "quiet";
  let activity: { readonly text: string; readonly since: number } | undefined;
  let frame = 0;
  let drawn = false;
  let timer: NodeJS.Timeout | undefined;

  function erase(): void {
    if (drawn) output.write("\r\u001B[2K");
    drawn = false;
  }

  function draw(): void {
    if (!activity) return;
    frame = (frame + 1) % frames.length;
    const elapsed = formatDuration(clock().getTime() - activity.since);
    const line = `${frames.charAt(frame)} ${activity.text} · ${elapsed}`;
    output.write(`\r\u001B[2K${paint("quiet", line.slice(0, output.columns - 1))}`);
    drawn = true;
  }

  return {
    show(event) {
      const { lines, activity: next } = tell(event);
      if (moves) erase();
      if (lines.length > 0) output.write(`${lines.join("\n")}\n`);
      if (!moves) return;
      if (next === null) activity = undefined;
      else if (next !== undefined) activity = { text: next, since: clock().getTime() };
      draw();
      // The display alone keeps no process alive.
      timer ??= setInterval(draw, frameMs).unref();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      activity = undefined;
      erase();
    },
  };
}
