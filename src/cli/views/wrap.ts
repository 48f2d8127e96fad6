import { stripVTControlCharacters } from "node:util";

/**
 * A line in lines of at most `columns`, broken at blanks, what goes on indented by two more than the
 * line. A word that is longer than a line is broken too, behind a slash where it has one. Colours
 * take no room.
 */
export function wrapLine(line: string, columns: number): readonly string[] {
  if (widthOf(line) <= columns) return [line];
  const indent = /^ */.exec(line)?.[0] ?? "";
  const further = `${indent}  `;
  const lines: string[] = [];
  let open = indent;
  let isBlank = true;
  for (const part of line.slice(indent.length).split(/(?<= )(?=[^ ])/)) {
    let word = part;
    if (!isBlank && widthOf(open) + widthOf(word.trimEnd()) > columns) {
      lines.push(open.trimEnd());
      open = further;
    }
    while (widthOf(open) + widthOf(word.trimEnd()) > columns) {
      const head = headOf(word, Math.max(1, columns - widthOf(open)));
      lines.push(open + head);
      open = further;
      word = word.slice(head.length);
    }
    open += word;
    isBlank = false;
  }
  lines.push(open.trimEnd());
  return lines;
}

/** The start of a word that has `room` characters at most; a colour's code is never broken. */
function headOf(word: string, room: number): string {
  let [taken, width, slash] = [0, 0, 0];
  // oxlint-disable-next-line no-control-regex -- the codes that `styleText` writes
  for (const [piece] of word.matchAll(/\u001B\[\d+m|./gsu)) {
    const isCode = piece.startsWith("\u001B");
    if (!isCode && width + piece.length > room) break;
    taken += piece.length;
    width += isCode ? 0 : piece.length;
    if (piece === "/") slash = taken;
  }
  return word.slice(0, slash > 0 ? slash : taken);
}

function widthOf(text: string): number {
  return stripVTControlCharacters(text).length;
}
