/** One line of a diff; `text` is without its sign. Numbers count from 1. */
export interface DiffLine {
  readonly kind: "context" | "added" | "removed" | "hunk" | "note";
  readonly text: string;
  /** In the old file for a removed line, else in the new one. */
  readonly number?: number;
}

/** What a diff does to one file. */
export interface FileDiff {
  readonly path: string;
  /** Its old path, where it was renamed. */
  readonly from?: string;
  readonly kind: "created" | "deleted" | "renamed" | "changed";
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly DiffLine[];
  /** Lines that the bound left out. */
  readonly leftOut: number;
}

/** How much of a diff is kept: a browser opens a report at once, whatever was changed. */
export interface DiffBounds {
  readonly files: number;
  /** Of the whole diff, and of each file. */
  readonly lines: number;
  readonly fileLines: number;
  /** Characters of the whole diff. */
  readonly chars: number;
}

export interface DiffRead {
  readonly files: readonly FileDiff[];
  /** Files that the bound left out. */
  readonly filesLeftOut: number;
  readonly linesLeftOut: number;
  readonly added: number;
  readonly removed: number;
}

/** Longer lines are cut, and say by how much. */
const mostLineChars = 600;

interface OpenFile {
  oldPath: string;
  newPath: string;
  kind: FileDiff["kind"];
  added: number;
  removed: number;
  lines: DiffLine[];
  leftOut: number;
}

/** What is left of a hunk: while there is, a removed line is no header whatever it looks like. */
interface OpenHunk {
  oldLeft: number;
  newLeft: number;
  oldNumber: number;
  newNumber: number;
}

/** Reads a unified diff as git and kit write it; keeps what the bounds allow, counts everything. */
export function readDiff(text: string, bounds: DiffBounds): DiffRead {
  const files: OpenFile[] = [];
  const keep = keeper(files, bounds);
  let hunk: OpenHunk = { oldLeft: 0, newLeft: 0, oldNumber: 0, newNumber: 0 };
  for (const line of linesOf(text)) {
    const file = files.at(-1);
    const isInside = file !== undefined && (hunk.oldLeft > 0 || hunk.newLeft > 0);
    const opened = isInside ? undefined : openHunk(line);
    if (isInside && !line.startsWith("\\")) keep(lineOf(line, hunk, file));
    else if (opened !== undefined) {
      hunk = opened;
      keep({ kind: "hunk", text: line });
    } else if (line.startsWith("\\")) keep({ kind: "note", text: line.slice(2) });
    else if (line.startsWith("Binary files ")) keep({ kind: "note", text: line });
    else readHeader(files, line);
  }
  const sum = (count: (file: OpenFile) => number): number =>
    files.reduce((total, file) => total + count(file), 0);
  return {
    files: files.slice(0, bounds.files).map(closedFile),
    filesLeftOut: Math.max(0, files.length - bounds.files),
    linesLeftOut: sum(({ leftOut }) => leftOut),
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
  };
}

/** Keeps lines of the last file while there is room for them. */
function keeper(files: readonly OpenFile[], bounds: DiffBounds): (line: DiffLine) => void {
  let lines = 0;
  let chars = 0;
  return (line) => {
    const file = files.at(-1);
    if (file === undefined) return;
    const isFull =
      files.length > bounds.files ||
      lines >= bounds.lines ||
      chars >= bounds.chars ||
      file.lines.length >= bounds.fileLines;
    if (isFull) {
      file.leftOut += 1;
      return;
    }
    const text = shortened(line.text);
    lines += 1;
    chars += text.length;
    file.lines.push({ ...line, text });
  };
}

function openHunk(line: string): OpenHunk | undefined {
  const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
  if (hunk === null) return undefined;
  return {
    oldNumber: Number(hunk[1]),
    oldLeft: Number(hunk[2] ?? 1),
    newNumber: Number(hunk[3]),
    newLeft: Number(hunk[4] ?? 1),
  };
}

/** One line inside of a hunk, which moves on by it. */
function lineOf(line: string, hunk: OpenHunk, file: OpenFile): DiffLine {
  const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "context";
  const number = kind === "removed" ? hunk.oldNumber : hunk.newNumber;
  if (kind !== "added") {
    hunk.oldLeft -= 1;
    hunk.oldNumber += 1;
  }
  if (kind !== "removed") {
    hunk.newLeft -= 1;
    hunk.newNumber += 1;
  }
  if (kind !== "context") file[kind] += 1;
  return { kind, text: line.slice(1), number };
}

/** Lines without their ends, one after the other: a diff may be too long to be split at once. */
function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const at = text.indexOf("\n", from);
    const end = at === -1 ? text.length : at;
    yield text.slice(from, end);
    from = end + 1;
  }
}

function openFile(oldPath: string, newPath: string): OpenFile {
  return { oldPath, newPath, kind: "changed", added: 0, removed: 0, lines: [], leftOut: 0 };
}

/** A line in front of the hunks of a file; the first one opens it. */
function readHeader(files: OpenFile[], line: string): void {
  const git = /^diff --git (.+) (.+)$/.exec(line);
  if (git) files.push(openFile(unprefixed(git[1] ?? ""), unprefixed(git[2] ?? "")));
  const last = files.at(-1);
  // A diff without git's own lines.
  const hasHunk = last !== undefined && last.lines.length + last.leftOut > 0;
  const isNew = line.startsWith("--- ") && (last === undefined || hasHunk);
  if (isNew) files.push(openFile("", ""));
  const file = files.at(-1);
  if (file === undefined) return;
  if (line.startsWith("--- ")) setPath(file, "oldPath", line.slice(4));
  else if (line.startsWith("+++ ")) setPath(file, "newPath", line.slice(4));
  else if (line.startsWith("new file mode")) file.kind = "created";
  else if (line.startsWith("deleted file mode")) file.kind = "deleted";
  else if (line.startsWith("rename from ")) file.oldPath = line.slice("rename from ".length);
  else if (line.startsWith("rename to ")) {
    file.newPath = line.slice("rename to ".length);
    file.kind = "renamed";
  }
}

function setPath(file: OpenFile, side: "oldPath" | "newPath", written: string): void {
  const path = written.split("\t", 1).join("");
  if (path !== "/dev/null") file[side] = unprefixed(path);
  else file.kind = side === "oldPath" ? "created" : "deleted";
}

function unprefixed(path: string): string {
  return path.replace(/^("?)[ab]\//, "$1");
}

function closedFile({ oldPath, newPath, lines, ...file }: OpenFile): FileDiff {
  const path = file.kind === "deleted" || newPath === "" ? oldPath : newPath;
  const from = file.kind === "renamed" ? { from: oldPath } : {};
  return { ...file, ...from, path, lines: withoutUsualReturns(lines) };
}

/** In a file of CRLF lines the CR says nothing; where some lines have it, each that does shows it. */
function withoutUsualReturns(lines: readonly DiffLine[]): readonly DiffLine[] {
  const isCode = ({ kind }: DiffLine): boolean => kind !== "hunk" && kind !== "note";
  const isUsual = lines.every((line) => !isCode(line) || line.text.endsWith("\r"));
  if (!isUsual) return lines;
  return lines.map((line) => (isCode(line) ? { ...line, text: line.text.slice(0, -1) } : line));
}

function shortened(text: string): string {
  if (text.length <= mostLineChars) return text;
  return `${text.slice(0, mostLineChars)} … ${text.length - mostLineChars} more characters`;
}

/** The middle in which a removed line and the added one that replaced it differ: `[start, end)` of each. */
export interface Emphasis {
  readonly removed: readonly [number, number];
  readonly added: readonly [number, number];
}

/** Where two versions of a line differ; undefined where too little is the same to be of help. */
export function emphasisOf(removed: string, added: string): Emphasis | undefined {
  const most = Math.min(removed.length, added.length);
  let start = 0;
  while (start < most && removed[start] === added[start]) start += 1;
  let tail = 0;
  while (tail < most - start && removed.at(-1 - tail) === added.at(-1 - tail)) tail += 1;
  // A character of two halves is not cut.
  if (start > 0 && /[\ud800-\udbff]/.test(removed[start - 1] ?? "")) start -= 1;
  if (tail > 0 && /[\udc00-\udfff]/.test(removed.at(-tail) ?? "")) tail -= 1;
  const same =
    removed.slice(0, start).trim().length + (tail === 0 ? 0 : removed.slice(-tail).trim().length);
  if (same * 3 < Math.max(removed.trim().length, added.trim().length)) return undefined;
  return {
    removed: [start, removed.length - tail],
    added: [start, added.length - tail],
  };
}
