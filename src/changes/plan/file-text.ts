import { decodeUtf8 } from "../../lib/text.ts";

/** One line with the bytes that end it. Only the last line of a file may have none. */
export interface TextLine {
  readonly text: string;
  readonly end: "" | "\n" | "\r\n" | "\r";
}

/** A file as lines; a byte-order mark is no part of the first one. */
export interface FileText {
  readonly mark: "" | "\uFEFF";
  readonly lines: readonly TextLine[];
}

export type FileReading =
  | { readonly ok: true; readonly file: FileText }
  | { readonly ok: false; readonly reason: string };

/** Reads bytes as text, or says why they are none: a NUL makes a file binary. */
export function readFileText(bytes: Uint8Array): FileReading {
  if (bytes.includes(0)) return { ok: false, reason: "the file is binary (it holds a NUL)" };
  const text = decodeUtf8(bytes);
  if (text === undefined) return { ok: false, reason: "the file is not valid UTF-8" };
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  return { ok: true, file: { mark, lines: splitLines(text.slice(mark.length)) } };
}

/** The bytes of a file; `readFileText` gives it back. */
export function fileBytes(file: FileText): Uint8Array {
  const parts: string[] = [file.mark];
  for (const line of file.lines) parts.push(line.text, line.end);
  return new TextEncoder().encode(parts.join(""));
}

/** Lines of a text that ends each with LF, as replies hold them. */
export function modelLines(text: string): readonly string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

/** CR alone ends a line only where the file has no LF at all; elsewhere it is content. */
function splitLines(text: string): readonly TextLine[] {
  if (!text.includes("\n") && text.includes("\r")) return splitAt(text, "\r");
  return splitAt(text, "\n");
}

function splitAt(text: string, sign: "\n" | "\r"): readonly TextLine[] {
  const lines: TextLine[] = [];
  let start = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, start)) {
    const isCrLf = sign === "\n" && at > start && text.charCodeAt(at - 1) === 13;
    lines.push({ text: text.slice(start, isCrLf ? at - 1 : at), end: isCrLf ? "\r\n" : sign });
    start = at + 1;
  }
  if (start < text.length) lines.push({ text: text.slice(start), end: "" });
  return lines;
}

/** The line end most lines have, the first one winning a draw; LF where there is none. */
export function commonEnd(lines: readonly TextLine[]): "\n" | "\r\n" | "\r" {
  const counts = new Map<"\n" | "\r\n" | "\r", number>();
  for (const { end } of lines) if (end !== "") counts.set(end, (counts.get(end) ?? 0) + 1);
  let best: "\n" | "\r\n" | "\r" = "\n";
  let most = 0;
  for (const [end, count] of counts) if (count > most) [best, most] = [end, count];
  return best;
}
