import type { CommandResult, TestCase } from "../../contracts/index.ts";
import { redact } from "../../lib/redaction.ts";
import { headAndTail } from "../../lib/text.ts";
import { commandText, folderText } from "../commands/commands.ts";
import { endedText, isGreen } from "./ended.ts";
import { readableLines } from "./output-lines.ts";

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

/** Of a digest, what the list of failing tests may take; the rest shows the output. */
const listShare = 0.6;

/** Characters of one test's message in that list. */
const messageChars = 1_200;

/** A test that passed, or a count: where these begin, what failed has been said. */
const quietLine = /^\s*(?:[✔✓√ℹ] |ok \d+\b|PASS\b|# (?:tests|pass|Subtest)\b)/;

const linesAfter = 16;

/** An output this short is shown as it is. */
const wholeChars = 3_000;

/**
 * What the next model is shown of red commands: the failing tests by name with what they say,
 * where they are told apart, then the failing part of the output, then its end while there is room. Colour stripped, progress lines settled, repeated blocks once,
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
    const room = Math.max(0, share - title.length - 3);
    const list = failingTests(result.tests ?? [], options.root, Math.floor(room * listShare));
    const rest = room - list.length;
    const lines = unsaid(readableLines(result.output, options.root), list);
    return `${title}\n${list}${failingPart(lines, rest)}`.trimEnd();
  });
  return headAndTail(parts.join("\n\n"), options.maxChars);
}

/** Names of failed tests, each with its message; equal messages once. */
function failingTests(tests: readonly TestCase[], root: string, maxChars: number): string {
  const failed = tests.filter(({ status }) => status === "failed");
  if (failed.length === 0) return "";
  const title = `Failing tests: ${failed.length}\n`;
  const said = new Set<string>();
  let text = "";
  let named = 0;
  for (const { id, message = "" } of failed) {
    const lines = readableLines(message, root).join("\n").trim();
    const isNew = lines !== "" && !said.has(lines);
    const block = isNew ? `${headAndTail(lines, messageChars).replaceAll(/^/gm, "    ")}\n` : "";
    const entry = `  ${redact(id.replaceAll(/\s+/g, " "))}\n`;
    // Where a message does not fit, its test is still named.
    const shown = text.length + entry.length + block.length <= maxChars ? entry + block : entry;
    if (text.length + shown.length > maxChars) break;
    if (shown !== entry) said.add(lines);
    text += shown;
    named += 1;
  }
  const left = failed.length - named;
  return `${title}${text}${left === 0 ? "" : `  … and ${left} more\n`}\n`;
}

/** Lines of an output without those that the list of failing tests holds already. */
function unsaid(lines: readonly string[], list: string): readonly string[] {
  if (list === "") return lines;
  const said = new Set(list.split("\n").map((line) => line.trim()));
  said.delete("");
  return lines.filter((line) => !said.has(line.trim()));
}

/** True for a line that says what failed. */
export function saysFailure(line: string): boolean {
  return failureLines.some(({ pattern }) => pattern.test(line));
}

function failingPart(lines: readonly string[], maxChars: number): string {
  const whole = lines.join("\n").trim();
  const failing = windows(lines);
  if (failing.length === 0 || whole.length <= Math.min(maxChars, wholeChars)) {
    return headAndTail(whole, maxChars);
  }
  const shown = new Set<string>();
  let text = "";
  let end = 0;
  for (const [from, to] of failing) {
    const block = lines.slice(from, to).join("\n").trimEnd();
    // The same failure under another time is the same failure.
    const identity = block.replaceAll(/\(?\b\d+(?:\.\d+)? ?m?s\b\)?|\bnot ok \d+/g, "").trim();
    if (shown.has(identity)) continue;
    shown.add(identity);
    const joint = text === "" ? "" : from === end ? "\n" : "\n…\n";
    if (text !== "" && text.length + joint.length + block.length > maxChars) break;
    text += joint + headAndTail(block, maxChars);
    end = to;
  }
  const rest = lines.slice(end).join("\n").trim();
  const left = maxChars - text.length - 3;
  return rest === "" || left < 200 ? text : `${text}\n…\n${headAndTail(rest, left)}`;
}

/** Ranges `[from, to)`: each line that says a failure, with what follows up to the next. */
function windows(lines: readonly string[]): readonly (readonly [number, number])[] {
  const starts = [...lines.keys()].filter((index) => saysFailure(lines[index] ?? ""));
  return starts.map((from, index) => {
    const limit = Math.min(starts[index + 1] ?? lines.length, from + linesAfter);
    const quiet = lines.findIndex((line, at) => at > from && at < limit && quietLine.test(line));
    return [from, quiet === -1 ? limit : quiet] as const;
  });
}
