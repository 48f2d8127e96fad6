import { commonEnd, type FileText, type TextLine } from "./file-text.ts";
import type { DiffStep } from "../diff/lines.ts";
import { indentOf, type Match, type Shift } from "./match.ts";

/**
 * The file with the lines of `match` rewritten by `steps` (from the search text to the
 * replacement). Lines that the replacement repeats keep their bytes; new lines take the line end
 * of the line they replace, else of a neighbour. Undefined where a new line cannot be shifted.
 */
export function rewriteLines(
  file: FileText,
  match: Match,
  steps: readonly DiffStep[],
  replacement: readonly string[],
  shiftLine: (line: string) => string | undefined = (line) => line,
): FileText | undefined {
  const common = commonEnd(file.lines);
  const region: TextLine[] = [];
  // Removed lines whose ends the next added lines may take.
  let [removed, removedEnd] = [0, 0];
  let [from, to] = [match.start, 0];
  for (const step of steps) {
    if (step.kind === "add") {
      for (const line of replacement.slice(to, to + step.count)) {
        const text = shiftLine(line);
        if (text === undefined) return undefined;
        const replaced = removed < removedEnd ? file.lines[removed]?.end : "";
        removed += 1;
        const end = replaced || region.at(-1)?.end || file.lines[match.start - 1]?.end || common;
        region.push({ text, end });
      }
      to += step.count;
      continue;
    }
    if (step.kind === "keep") {
      for (const line of file.lines.slice(from, from + step.count)) region.push(line);
      to += step.count;
    } else removed = from;
    from += step.count;
    removedEnd = from;
    if (step.kind === "keep") removed = from;
  }
  const before = file.lines.slice(0, match.start);
  const after = file.lines.slice(match.end);
  const isAtEnd = after.length === 0 && file.lines.at(-1)?.end === "";
  const rewritten = isAtEnd ? withoutFinalEnd(region, common) : region;
  return { mark: file.mark, lines: [...before, ...rewritten, ...after] };
}

/** The last lines of a file that has no final line break, and gets none. */
function withoutFinalEnd(
  lines: readonly TextLine[],
  common: "\n" | "\r\n" | "\r",
): readonly TextLine[] {
  return lines.map(({ text, end }, index) => ({
    text,
    end: index === lines.length - 1 ? "" : end || common,
  }));
}

/**
 * How a line of the replacement is moved to the file's indentation. Lines at column 0 follow the
 * lines at column 0 of the search text: exempt where those were. Undefined where a line has less
 * indentation than there is to take away.
 */
export function shifter(
  search: readonly string[],
  file: readonly TextLine[],
  match: Match,
): (line: string) => string | undefined {
  const { shift } = match;
  if (shift === undefined) return (line) => line;
  let [exempt, moved] = [0, 0];
  search.forEach((line, index) => {
    if (line.trim() === "" || indentOf(line) !== "") return;
    if (indentOf(file[match.start + index]?.text ?? "") === "") exempt += 1;
    else moved += 1;
  });
  const keepsColumnZero = exempt > 0 && moved === 0;
  return (line) => {
    if (line.trim() === "") return line.trim();
    if (indentOf(line) === "" && keepsColumnZero) return line;
    return shiftLine(line, shift);
  };
}

function shiftLine(line: string, shift: Shift): string | undefined {
  if (shift.kind === "add") return shift.blanks + line;
  return line.startsWith(shift.blanks) ? line.slice(shift.blanks.length) : undefined;
}
