import { counted, formatCount } from "../lib/figures.ts";
import { type DiffBounds, type DiffLine, emphasisOf, type FileDiff, readDiff } from "./diff.ts";
import { html, type Html } from "./html.ts";
import { folded } from "./page.ts";

/** Of the change that a run came to. */
export const wholeDiff: DiffBounds = { files: 100, lines: 2_000, fileLines: 600, chars: 120_000 };
/** Of a change that was refused. */
export const refusedDiff: DiffBounds = { files: 20, lines: 160, fileLines: 80, chars: 10_000 };

/** So many lines are open at first; the files after them wait to be opened. */
const openLines = 400;

/**
 * The files of a diff, each foldable, with a picture of what was added and removed.
 *
 * @param recordName where the whole diff is, relative to the run's records
 */
export function diffView(text: string, bounds: DiffBounds, recordName: string): Html {
  const { files, filesLeftOut, linesLeftOut, added, removed } = readDiff(text, bounds);
  const total = files.length + filesLeftOut;
  let shown = 0;
  const views = files.map((file) => {
    shown += file.lines.length;
    return fileView(file, shown <= openLines);
  });
  const left = [
    ...(filesLeftOut > 0 ? [counted(filesLeftOut, "file")] : []),
    ...(linesLeftOut > 0 ? [counted(linesLeftOut, "line")] : []),
  ].join(" and ");
  return html`<p>
      ${counted(total, "file")}, <span class="good">${formatCount(added)} added</span> and
      <span class="bad">${formatCount(removed)} removed</span>.
    </p>
    ${left !== "" && html`<p class="left-out">${left} left out here. The whole diff is in the records: <code>${recordName}</code></p>`}
    ${views}`;
}

function fileView(file: FileDiff, isOpen: boolean): Html {
  const { path, from, kind, added, removed, lines, leftOut } = file;
  const name = from === undefined ? path : `${from} → ${path}`;
  const stat = html`<span class="stat"
    ><span class="good">+${formatCount(added)}</span>
    <span class="bad">−${formatCount(removed)}</span></span
  >`;
  const summary = html`<code class="path">${name}</code
    >${kind !== "changed" && html` <span class="quiet">${kind}</span>`} ${stat}`;
  const body = html`${lines.length > 0 && html`<pre class="diff"><code>${linesView(lines)}</code></pre>`}${
    leftOut > 0 &&
    html`<p class="left-out">${counted(leftOut, "more line")} of this file left out.</p>`
  }`;
  return html`<div class="file">${folded(summary, body, isOpen)}</div>`;
}

/** The lines in order; a run of removed ones is held against the added ones that follow it. */
function linesView(lines: readonly DiffLine[]): Html[] {
  const views: Html[] = [];
  for (let at = 0; at < lines.length;) {
    const removed = runOf(lines, at, "removed");
    const added = runOf(lines, at + removed.length, "added");
    if (removed.length > 0 && removed.length === added.length) {
      const pairs = removed.map((line, index) => emphasisOf(line.text, added[index]?.text ?? ""));
      views.push(...removed.map((line, index) => lineView(line, pairs[index]?.removed)));
      views.push(...added.map((line, index) => lineView(line, pairs[index]?.added)));
      at += removed.length + added.length;
      continue;
    }
    const line = lines[at];
    if (line) views.push(lineView(line));
    at += 1;
  }
  return views;
}

function runOf(
  lines: readonly DiffLine[],
  from: number,
  kind: DiffLine["kind"],
): readonly DiffLine[] {
  const end = lines.findIndex((line, index) => index >= from && line.kind !== kind);
  return lines.slice(from, end === -1 ? lines.length : Math.max(from, end));
}

/** Inside of the line's element, so that what is copied has it and nothing empty is drawn. */
const lineEnd = "\n";

function lineView({ kind, text, number }: DiffLine, part?: readonly [number, number]): Html {
  const marked =
    part === undefined || part[0] === part[1]
      ? text
      : html`${text.slice(0, part[0])}<b>${text.slice(part[0], part[1])}</b>${text.slice(part[1])}`;
  const numbered = number !== undefined && html` data-n="${number}"`;
  if (kind === "added") return html`<ins${numbered}>+${marked}${lineEnd}</ins>`;
  if (kind === "removed") return html`<del${numbered}>-${marked}${lineEnd}</del>`;
  if (kind === "context") return html`<span${numbered}> ${marked}${lineEnd}</span>`;
  return html`<span class="${kind}">${marked}${lineEnd}</span>`;
}
