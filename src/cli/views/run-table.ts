import type { RecordedEvent, StepName } from "../../contracts/index.ts";
import type { Output } from "../io.ts";
import { createPaint, formatCost, formatDuration, type Tone } from "./format.ts";
import { printable } from "./printable.ts";

/** Runs that go on at once: a line each that moves on a terminal, lines of start and end elsewhere. */
export interface RunTable {
  start(name: string): void;
  see(name: string, event: RecordedEvent): void;
  /** Its line stays as it is from now on. */
  end(name: string, end: RowEnd): void;
  /** A line that stays. */
  say(text: string, tone: Tone): void;
  /** For `finally`: nothing moves any more. */
  stop(): void;
}

/** How a row ended. */
export interface RowEnd {
  readonly tone: Tone;
  readonly state: string;
  readonly durationMs: number;
  readonly costUsd: number | undefined;
  readonly costUnknown: number;
}

interface Row {
  state: string;
  model: string;
  readonly since: number;
  costUsd: number | undefined;
  costUnknown: number;
}

const redrawMs = 200;
/** Longer names are cut. */
const longestName = 32;

const states: Readonly<Record<StepName, string>> = {
  survey: "reading",
  baseline: "testing the tree",
  scout: "scouting",
  coder: "coding",
  gate: "testing",
  review: "in review",
};

/**
 * @param names of all rows there will be, so that columns line up
 * @param overall says what stands below the rows that move: how many are done
 */
export function createRunTable(
  output: Output,
  clock: () => Date,
  names: readonly string[],
  overall: () => string,
): RunTable {
  const paint = createPaint(output.colour);
  const rows = new Map<string, Row>();
  const width = Math.min(longestName, Math.max(...names.map((name) => name.length)));
  let drawnLines = 0;
  let timer: NodeJS.Timeout | undefined;

  function erase(): void {
    if (drawnLines > 0) output.write(`\u001B[${drawnLines}A\r\u001B[J`);
    drawnLines = 0;
  }

  function draw(): void {
    if (!output.isTerminal || rows.size === 0) return;
    const now = clock().getTime();
    const lines = [...rows].map(([name, row]) =>
      lineOf(name, row.state, { ...row, durationMs: now - row.since }),
    );
    const all = [...lines, overall()].map((line) => line.slice(0, output.columns - 1));
    erase();
    output.write(`${all.map((line) => paint("quiet", line)).join("\n")}\n`);
    drawnLines = all.length;
    // The table alone keeps no process alive.
    timer ??= setInterval(draw, redrawMs).unref();
  }

  function lineOf(
    name: string,
    state: string,
    row: Pick<Row, "model" | "costUsd" | "costUnknown"> & { readonly durationMs: number },
  ): string {
    const { model, durationMs, costUsd, costUnknown } = row;
    const wasAsked = costUsd !== undefined || costUnknown > 0;
    const facts = [
      state,
      ...(model === "" ? [] : [model]),
      formatDuration(durationMs),
      ...(wasAsked ? [formatCost(costUsd, costUnknown)] : []),
    ];
    return printable(`${name.slice(0, width).padEnd(width)}  ${facts.join(" · ")}`);
  }

  function write(line: string): void {
    erase();
    output.write(`${line}\n`);
    draw();
  }

  return {
    start(name) {
      const row = { state: "starting", model: "", since: clock().getTime() };
      rows.set(name, { ...row, costUsd: undefined, costUnknown: 0 });
      if (output.isTerminal) draw();
      else output.write(`${name}: started\n`);
    },
    see(name, event) {
      const row = rows.get(name);
      if (row !== undefined) follow(row, event);
    },
    end(name, { state, tone, ...end }) {
      const model = rows.get(name)?.model ?? "";
      rows.delete(name);
      write(paint(tone, lineOf(name, state, { ...end, model })));
    },
    say(text, tone) {
      write(paint(tone, printable(text)));
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      erase();
    },
  };
}

/** What a row shows of an event. */
function follow(row: Row, event: RecordedEvent): void {
  if (event.type === "step_started") row.state = states[event.step];
  if (event.type === "call_started") row.state = states[event.step];
  if (event.type === "plan_ready") row.state = states.gate;
  if (event.type === "waiting") row.state = "waiting";
  if (event.type === "attempt_started") {
    row.model = `${event.candidate.provider}/${event.candidate.model}`;
  }
  if (event.type === "call_finished") {
    if (event.costUsd === undefined) row.costUnknown += 1;
    else row.costUsd = (row.costUsd ?? 0) + event.costUsd;
  }
}
