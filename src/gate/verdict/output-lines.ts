import { redact } from "../../lib/redaction.ts";
import { stripColour } from "../../lib/text.ts";

/** Longer lines are cut in their middle, so that no pattern meets more. */
const maxLineChars = 1_000;

/** Lines of an output as a terminal was left with them: no colour, no CR, none of great length. */
export function boundedLines(output: string): readonly string[] {
  const lines = stripColour(output).replaceAll("\r\n", "\n").split("\n");
  // A progress line is rewritten in place: only what follows its last CR was left standing.
  return lines.map((line) => cut(line.slice(line.lastIndexOf("\r") + 1).trimEnd()));
}

/**
 * Lines of an output as a model reads them: also redacted, with paths relative to `root`,
 * without frames of runtimes and packages and without repetitions of the line before.
 */
export function readableLines(output: string, root: string): readonly string[] {
  const lines = boundedLines(relative(redact(stripColour(output)), root));
  return lines.filter((line, index) => !isForeignFrame(line) && line !== lines[index - 1]);
}

function relative(text: string, root: string): string {
  if (root === "/") return text;
  const escaped = root.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return text
    .replaceAll(`file://${root}/`, "")
    .replaceAll(`${root}/`, "")
    .replaceAll(new RegExp(`${escaped}(?![\\w.-])`, "g"), ".");
}

function cut(line: string): string {
  if (line.length <= maxLineChars) return line;
  return `${line.slice(0, maxLineChars / 2)} … ${line.slice(-maxLineChars / 2)}`;
}

/** Frames of runtimes and packages say nothing about the repository. */
function isForeignFrame(line: string): boolean {
  if (/^\s+at \/rustc\//.test(line)) return true;
  if (!line.includes("node:") && !line.includes("node_modules/")) return false;
  const isFrame = /^\s*(?:at |async |[\w.<>#[\]]+ \(|node:|file:|\S*node_modules\/)/.test(line);
  return isFrame && /:\d+:\d+\)?(?: \{)?$/.test(line);
}
