import type { Output } from "../io.ts";
import { createPaint, formatDuration } from "./format.ts";

/** One line at the bottom of a terminal that says what goes on, and for how long. */
export interface MovingLine {
  /** Says it from now on; `undefined`: nothing goes on. */
  say(text: string | undefined): void;
  /** Draws the line as it is now. */
  draw(): void;
  /** Takes the line away, so that others can be written; the next drawing brings it back. */
  erase(): void;
  /** Takes the line away; nothing moves any more. */
  stop(): void;
}

const frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const frameMs = 100;

/** A line on `output`, which is a terminal: elsewhere nobody asks for one. */
export function createMovingLine(output: Output, clock: () => Date): MovingLine {
  const paint = createPaint(output.colour);
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
    // The display alone keeps no process alive.
    timer ??= setInterval(draw, frameMs).unref();
  }

  return {
    say(text) {
      activity = text === undefined ? undefined : { text, since: clock().getTime() };
    },
    draw,
    erase,
    stop() {
      clearInterval(timer);
      timer = undefined;
      activity = undefined;
      erase();
    },
  };
}
