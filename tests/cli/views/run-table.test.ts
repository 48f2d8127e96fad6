import { expect, test } from "vitest";
import type { Output } from "../../../src/cli/io.ts";
import { createRunTable } from "../../../src/cli/views/run-table.ts";
import { escalatedRun, recorded } from "../../runs/support.ts";

const end = {
  tone: "good",
  state: "green",
  durationMs: 61_000,
  costUsd: 0.5,
  costUnknown: 0,
} as const;

/** Everything a table writes for two runs, with a clock that stands still. */
function shown(over: Partial<Output>): string {
  let written = "";
  const output: Output = {
    write: (text) => (written += text),
    settled: () => Promise.resolve(undefined),
    isTerminal: false,
    columns: 60,
    colour: false,
    ...over,
  };
  const table = createRunTable(
    output,
    () => new Date(0),
    ["a", "other"],
    () => "1 of 2 done",
  );
  table.start("a");
  table.start("other");
  for (const event of recorded(escalatedRun)) table.see("a", event);
  table.end("a", end);
  table.end("other", { ...end, costUsd: undefined });
  table.stop();
  return written;
}

test("through a pipe a run has a line for its start and one for its end", () => {
  expect(shown({}).split("\n")).toEqual([
    "a: started",
    "other: started",
    "a      green · acme/large · 1 min 1 s · $0.5000",
    "other  green · 1 min 1 s",
    "",
  ]);
});

test("on a terminal the lines of runs that go on move, and those that ended stay", () => {
  expect(screen(shown({ isTerminal: true }))).toEqual([
    "a      green · acme/large · 1 min 1 s · $0.5000",
    "other  green · 1 min 1 s",
    "",
  ]);
});

test("moving lines never wrap on a narrow terminal", () => {
  const text = shown({ isTerminal: true, columns: 20 });
  const moving = text
    .split("\n")
    .filter((line) => line.includes("starting") || line.includes("done"));
  expect(moving.length).toBeGreaterThan(0);
  for (const line of moving) expect(line.replaceAll(/\u001B\[\w*|\r/g, "").length).toBeLessThan(20);
});

/** What a terminal shows in the end: `ESC[nA` goes up, `ESC[J` clears from there. */
function screen(written: string): string[] {
  let lines = [""];
  for (const part of written.split(/(\u001B\[\d+A\r\u001B\[J)/)) {
    const up = /^\u001B\[(\d+)A/.exec(part)?.[1];
    if (up !== undefined) lines = [...lines.slice(0, lines.length - 1 - Number(up)), ""];
    else {
      const [first = "", ...rest] = part.split("\n");
      lines = [...lines.slice(0, -1), (lines.at(-1) ?? "") + first, ...rest];
    }
  }
  return lines;
}
