import type { FileText } from "./file-text.ts";
import type { DiffStep } from "../diff/lines.ts";
import { occurrences } from "./match.ts";
import { rewriteLines } from "./rewrite.ts";

/**
 * The file after a hunk of a diff whose blank context lines are not those of the file: its other
 * lines must follow each other, exactly once, with nothing but blank lines between. Blank lines
 * of the file stay. Undefined when it does not fit, or when the hunk removes a blank line.
 */
export function rewriteAroundBlanks(file: FileText, diff: readonly string[]): FileText | undefined {
  if (diff.some((line) => line.startsWith("-") && isBlank(line.slice(1)))) return undefined;
  const wanted = diff
    .filter((line) => !line.startsWith("+") && !isBlank(line.slice(1)))
    .map((line) => line.slice(1).trimEnd());
  const places = file.lines.flatMap(({ text }, at) => (isBlank(text) ? [] : at));
  if (wanted.length === 0 || wanted.length > places.length) return undefined;
  const found = occurrences(
    places.length,
    wanted,
    (index, line) => file.lines[places[index] ?? -1]?.text.trimEnd() === line,
  );
  const [first] = found.starts;
  if (found.count !== 1 || first === undefined) return undefined;
  const start = places[first] ?? 0;
  const end = (places[first + wanted.length - 1] ?? 0) + 1;
  const { steps, lines } = walk(file, diff, start, end);
  return rewriteLines(file, { strategy: "blank_context", start, end }, steps, lines);
}

/** Steps over the file's own lines; `lines` holds one entry for each line kept or added. */
function walk(
  file: FileText,
  diff: readonly string[],
  start: number,
  end: number,
): { steps: readonly DiffStep[]; lines: readonly string[] } {
  const steps: DiffStep[] = [];
  const lines: string[] = [];
  let at = start;
  const keep = (): void => {
    steps.push({ kind: "keep", count: 1 });
    lines.push(file.lines[at]?.text ?? "");
    at += 1;
  };
  for (const line of diff) {
    const text = line.slice(1);
    const isBlankHere = (): boolean => at < end && isBlank(file.lines[at]?.text ?? "");
    if (line.startsWith("+")) {
      steps.push({ kind: "add", count: 1 });
      lines.push(text);
    } else if (isBlank(text)) {
      if (isBlankHere()) keep();
    } else {
      while (isBlankHere()) keep();
      if (line.startsWith("-")) {
        steps.push({ kind: "remove", count: 1 });
        at += 1;
      } else keep();
    }
  }
  return { steps, lines };
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}
