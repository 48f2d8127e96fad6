import type { RecordedEvent } from "../../contracts/index.ts";
import type { Output } from "../io.ts";
import { createPaint } from "./format.ts";
import { createMovingLine } from "./moving-line.ts";
import { createRunNarrator, type Detail } from "./run-narrator.ts";

/** Shows a run while it goes on. */
export interface LiveDisplay {
  /** A reader of the event log. */
  show(event: RecordedEvent): void;
  /** Takes the moving line away; nothing moves any more. */
  stop(): void;
}

/**
 * Writes the lines of a run to `output`. On a terminal, one more line below them moves: what goes
 * on, and for how long. Elsewhere the lines come alone.
 */
export function createLiveDisplay(output: Output, detail: Detail, clock: () => Date): LiveDisplay {
  const tell = createRunNarrator(createPaint(output.colour), detail);
  const moves = output.isTerminal && detail !== "quiet";
  const moving = createMovingLine(output, clock);
  return {
    show(event) {
      const { lines, activity } = tell(event);
      if (moves) moving.erase();
      if (lines.length > 0) output.write(`${lines.join("\n")}\n`);
      if (!moves) return;
      if (activity === null) moving.say(undefined);
      else if (activity !== undefined) moving.say(activity);
      moving.draw();
    },
    stop() {
      moving.stop();
    },
  };
}
