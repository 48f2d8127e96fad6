import type { CommandResult } from "../contracts/index.ts";
import { redact } from "../lib/redaction.ts";
import { headAndTail, stripColour } from "../lib/text.ts";
import { commandText, folderText } from "./commands.ts";
import { endedText, isGreen } from "./ended.ts";

export interface DigestOptions {
  /** Absolute top level of the repository; paths below it are made relative. */
  readonly root: string;
  /** Bound of the whole digest. */
  readonly maxChars: number;
}

/**
 * Lines that say what failed, by the runner whose output they were seen in. A window around each
 * is the failing part.
 */
export const failureLines: readonly { readonly seen: string; readonly pattern: RegExp }[] = [
  { seen: "not ok 1 - adds", pattern: /^\s*not ok \d+/ },
  { seen: "✖ adds (0.8ms)", pattern: /^\s*[✖✗×✘●] / },
  { seen: " FAIL  test/math.test.ts > adds", pattern: /^\s*(?:--- )?FAIL(?:ED|URE)?\b/ },
  { seen: "FAILED tests/test_math.py::test_add - assert -1 == 5", pattern: /\bFAILED\b/ },
  { seen: "E       assert -1 == 5", pattern: /^E {2,}\S/ },
  {
    seen: "AssertionError [ERR_ASSERTION]: -1 !== 5",
    pattern: /^\s*(?:\w+\.)*\w*(?:Error|Exception)\b.*:/,
  },
  { seen: "thread 'adds' panicked at src/lib.rs:9:9:", pattern: /\bpanicked at\b/ },
  { seen: "error[E0308]: mismatched types", pattern: /^\s*(?:error|fatal)\b.*:/i },
  { seen: "src/a.ts(3,5): error TS2322: Type", pattern: /: error\b/ },
  { seen: "    math_test.go:8: got -1, want 5", pattern: /^\s+\w+_test\.go:\d+:/ },
  {
    seen: "Traceback (most recent call last):",
    pattern: /^\s*Traceback \(most recent call last\)/,
  },
  { seen: "  1) math adds:", pattern: /^\s*\d+\) \S/ },
];

/** Frames of runtimes and packages say nothing about the repository. */
const foreignFrame =
  /^\s*at .*(?:\(|\s)(?:node:|file:.*\/node_modules\/|.*\/node_modules\/|node_modules\/)/;

const linesBefore = 1;
const linesAfter = 14;

/**
 * What the next model is shown of red commands: the failing part first, then the end of the
 * output while there is room. Colour stripped, progress lines settled, repeated blocks once,
 * paths relative, secrets masked. Give it to a model only inside a fence longer than any in it.
 */
export function digest(results: readonly CommandResult[], options: DigestOptions): string {
  const red = results.filter((result) => !isGreen(result));
  if (red.length === 0) return "";
  const share = Math.floor(options.maxChars / red.length);
  const parts = red.map((result) => {
    const folder = folderText(result.command, options.root);
    const head = `$ ${commandText(result.command)}${folder === "." ? "" : ` (in ${folder})`}`;
    const title = redact(`${head}\n${endedText(result.ended)}`);
    const lines = readableLines(result.output, options.root);
    return `${title}\n${failingPart(lines, Math.max(0, share - title.length - 3))}`.trimEnd();
  });
  return headAndTail(parts.join("\n\n"), options.maxChars);
}

/** Output as the digest reads it: relative, redacted, without what repeats or is not ours. */
export function readableLines(output: string, root: string): readonly string[] {
  const text = redact(stripColour(output).replaceAll("\r\n", "\n"))
    .replaceAll(`file://${root}/`, "")
    .replaceAll(`${root}/`, "")
    .replaceAll(root, ".");
  // A progress line is rewritten in place: only what follows its last CR was left standing.
  const lines = text.split("\n").map((line) => line.slice(line.lastIndexOf("\r") + 1).trimEnd());
  return lines.filter((line, index) => !foreignFrame.test(line) && line !== lines[index - 1]);
}

/** True for a line that says what failed. */
export function saysFailure(line: string): boolean {
  return failureLines.some(({ pattern }) => pattern.test(line));
}

function failingPart(lines: readonly string[], maxChars: number): string {
  const whole = lines.join("\n").trim();
  const failing = windows(lines);
  if (failing.length === 0) return headAndTail(whole, maxChars);
  const shown = new Set<string>();
  const blocks: string[] = [];
  let room = maxChars;
  for (const [from, to] of failing) {
    const block = lines.slice(from, to).join("\n").trim();
    const identity = block.replace(/\d+(?:\.\d+)?/g, "0");
    if (block === "" || shown.has(identity)) continue;
    shown.add(identity);
    if (block.length + 3 > room && blocks.length > 0) break;
    blocks.push(headAndTail(block, room));
    room -= block.length + 3;
  }
  const text = blocks.join("\n…\n");
  const rest = lines
    .slice(failing.at(-1)?.[1] ?? 0)
    .join("\n")
    .trim();
  const left = maxChars - text.length - 3;
  return rest === "" || left < 200 ? text : `${text}\n…\n${headAndTail(rest, left)}`;
}

/** Ranges `[from, to)` around the lines that say a failure; overlapping ones are joined. */
function windows(lines: readonly string[]): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (const [index, line] of lines.entries()) {
    if (!saysFailure(line)) continue;
    const from = Math.max(0, index - linesBefore);
    const to = Math.min(lines.length, index + linesAfter);
    const last = ranges.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else ranges.push([from, to]);
  }
  return ranges;
}
