import { scanLines } from "../markdown/lines.ts";
import { readHeading, sectionCalled } from "./headings.ts";
import type { SectionName } from "../sections.ts";

/** A dress that hides the pack from the reader as a whole, and how it comes off; lines stay lines. */
interface Dress {
  readonly name: string;
  readonly undress: (texts: readonly string[]) => readonly string[];
}

/** Whole replies that small models were seen to write. Tried only where no pack is found. */
const dresses: readonly Dress[] = [
  { name: "quoted", undress: (texts) => texts.map((line) => line.replace(/^ {0,3}> ?/, "")) },
  {
    name: "indented as code",
    undress: (texts) => texts.map((line) => line.replace(/^(?:\t| {4})/, "")),
  },
  { name: "in tags", undress: (texts) => outsideFences(texts, untagged) },
  { name: "underlined headings", undress: (texts) => outsideFences(texts, ununderlined) },
  { name: "labels", undress: (texts) => outsideFences(texts, unlabelled) },
];

/**
 * The lines of a reply whose pack is dressed as a whole: quoted, as a block of code, in tags, with
 * underlined headings or with `task:` labels. `undefined` where none of that brings out a task
 * and files.
 */
export function undressed(texts: readonly string[]): readonly string[] | undefined {
  for (const { undress } of dresses) {
    const bare = undress(texts);
    const names = new Set(bare.map((line) => readHeading(line)?.name));
    if (names.has("task") && names.has("relevant_files")) return bare;
  }
  return undefined;
}

type LineRule = (line: string, next: string | undefined, previous: string | undefined) => string;

/** Rewrites lines of text; what stands in a fence is content. */
function outsideFences(texts: readonly string[], rule: LineRule): readonly string[] {
  const lines = scanLines(texts, (_opener, at, close) =>
    close === undefined ? { before: at + 1 } : { close },
  );
  return texts.map((text, index) =>
    lines[index]?.role === "text" ? rule(text, texts[index + 1], texts[index - 1]) : text,
  );
}

/** `<goal>text</goal>` and `<relevant_files>` on a line of its own. */
function untagged(line: string): string {
  const open = /^\s*<([\w-]{3,40})>\s*(.*)$/.exec(line);
  const name = open?.[1] === undefined ? undefined : sectionCalled(open[1]);
  if (name !== undefined) return label(name, (open?.[2] ?? "").replace(/<\/[\w-]+>\s*$/, ""));
  const close = /^(.*?)<\/([\w-]{3,40})>\s*$/.exec(line);
  return close?.[2] !== undefined && sectionCalled(close[2]) !== undefined
    ? (close[1] ?? "")
    : line;
}

/** A name over a line of `=` or `-`. */
function ununderlined(
  line: string,
  next: string | undefined,
  previous: string | undefined,
): string {
  const isRule = (text: string | undefined): boolean =>
    /^ {0,3}(?:-{3,}|={3,})\s*$/.test(text ?? "");
  const name = isRule(next) ? sectionCalled(line) : undefined;
  if (name !== undefined) return label(name, "");
  return isRule(line) && sectionCalled(previous ?? "") !== undefined ? "" : line;
}

/** `task: text`, `- **goal**: text`, `| goal | text |`, and `[task]`, `TASK` or `__task__` alone on a line. */
function unlabelled(line: string): string {
  const labelled =
    /^ {0,2}(?:[-*]\s+)?[*_]{0,2}([\p{L}][\p{L}_ -]{2,40}?)[*_]{0,2}\s*:[*_]{0,2}(?:\s+(.*))?$/u.exec(
      line,
    );
  const alone = /^[*_[]{0,2}([\p{L}][\p{L}_ -]{2,40}?)[*_\]]{0,2}\s*$/u.exec(line);
  const row = /^\s*\|([^|]{3,40})\|(.*?)\|?\s*$/.exec(line);
  const [, written, text = ""] = labelled ?? row ?? alone ?? [];
  const name = written === undefined ? undefined : sectionCalled(written.trim());
  return name === undefined ? line : label(name, text);
}

function label(name: SectionName, text: string): string {
  return text.trim() === "" ? `**${name}:**` : `**${name}:** ${text.trim()}`;
}
