import { expect, test } from "vitest";
import { createLiveDisplay } from "../../../src/cli/views/live-display.ts";
import type { Output } from "../../../src/cli/io.ts";
import type { Detail } from "../../../src/cli/views/run-narrator.ts";
import { escalatedRun, recorded } from "../../runs/support.ts";

const erased = "\r\u001B[2K";

/** Everything a display writes for the escalated run, with a clock that stands still. */
function shown(over: Partial<Output>, detail: Detail = "normal"): string {
  let written = "";
  const output: Output = {
    write: (text) => (written += text),
    settled: () => Promise.resolve(undefined),
    isTerminal: false,
    columns: 60,
    colour: false,
    ...over,
  };
  const display = createLiveDisplay(output, detail, () => new Date(0));
  for (const event of recorded(escalatedRun)) display.show(event);
  display.stop();
  return written;
}

test("through a pipe the lines come alone", () => {
  const text = shown({});

  expect(text).not.toContain("\u001B");
  expect(text).toContain("\ncoder 2: strong (acme/large) · for strong-code\n");
});

test("on a terminal a line below moves, and is gone at the end", () => {
  const text = shown({ isTerminal: true });

  expect(text).toContain("coder: waiting for cheap (acme/small) · 0.0 s");
  expect(lastScreen(text)).toBe(shown({}));
});

test("the moving line never wraps", () => {
  const moving = shown({ isTerminal: true, columns: 20 })
    .split(erased)
    .filter((part) => part !== "" && !part.endsWith("\n"));

  expect(Math.max(...moving.map((line) => line.length))).toBe(19);
});

test("quiet moves nothing", () => {
  expect(shown({ isTerminal: true }, "quiet")).toBe("");
});

/** What is left on the screen: a line that was erased is not. */
function lastScreen(text: string): string {
  const lines = text.split("\n").map((line) => line.slice(line.lastIndexOf(erased) + 1));
  return lines.map((line) => line.replace("\u001B[2K", "")).join("\n");
}
