/** The words of canonical markers. */
export type MarkerWord = "FILE" | "EDIT" | "DELETE" | "RENAME" | "NEED" | "END";

/** A canonical marker: `=== FILE: path === tag`. `END` has no path. */
export interface Marker {
  readonly word: MarkerWord;
  readonly path: string;
  readonly tag?: string;
}

const words = new Set<string>(["FILE", "EDIT", "DELETE", "RENAME", "NEED", "END"]);
const tagPattern = /^[\w.-]{1,64}$/;

/**
 * Reads a line as a canonical marker. Surrounding blanks, bold and backticks are forgiven, case
 * is ignored, everything else makes it content. The last `===` closes, so paths may hold one.
 */
export function readMarker(line: string): Marker | undefined {
  const text = bareMarker(line);
  if (text === undefined) return undefined;
  const close = text.lastIndexOf("===");
  if (close < 3) return undefined;
  const tag = text
    .slice(close + 3)
    .trim()
    .toLowerCase();
  if (tag !== "" && !tagPattern.test(tag)) return undefined;
  const inner = text.slice(3, close).trim();
  const colon = inner.indexOf(":");
  const word = (colon < 0 ? inner : inner.slice(0, colon)).trim().toUpperCase();
  if (!words.has(word)) return undefined;
  // Prompts list new files with that note, and models copy it.
  const path =
    colon < 0
      ? ""
      : inner
          .slice(colon + 1)
          .replace(/\s\(new\)\s{0,9}$/i, "")
          .trim();
  if ((word === "END") !== (path === "")) return undefined;
  return { word: word as MarkerWord, path, ...(tag === "" ? {} : { tag }) };
}

/**
 * The path of a line that begins like a header but is none (its block would get lost silently);
 * undefined for other lines.
 */
export function readBrokenMarker(line: string): string | undefined {
  const text = bareMarker(line);
  if (text === undefined || readMarker(line) !== undefined) return undefined;
  const head = /^={3}\s{0,3}(?:FILE|EDIT|DELETE|RENAME|NEED)\b\s{0,3}:?/i.exec(text)?.[0];
  return head === undefined
    ? undefined
    : text
        .slice(head.length, 500)
        .replace(/={2,9}.{0,80}$/, "")
        .trim();
}

/** The line without surrounding blanks, bold and backticks, if it begins with exactly `===`. */
function bareMarker(line: string): string | undefined {
  if (!/^\s{0,100}[=*`]/.test(line) || !line.includes("===")) return undefined;
  const text = line
    .trim()
    .replace(/^[*`]{1,3}/, "")
    .replace(/[*`]{1,3}$/, "")
    .trim();
  return text.startsWith("===") && text.charAt(3) !== "=" ? text : undefined;
}

/** The three lines of a search and replace hunk, in every wording that models use. */
export type HunkMark = "search" | "divider" | "replace";

const markPatterns: Record<"<" | "=" | ">", { mark: HunkMark; rest: RegExp }> = {
  "<": { mark: "search", rest: /^\s?(?:SEARCH|ORIGINAL)>?$/i },
  "=": { mark: "divider", rest: /^$/ },
  ">": { mark: "replace", rest: /^\s?(?:REPLACE|UPDATED)<?$/i },
};

/** A line of a hunk that may be one of its three marks. */
export interface HunkMarkLine {
  readonly mark: HunkMark;
  /** Blanks before the mark; inside a hunk only marks at the indentation of its SEARCH count. */
  readonly indent: string;
  /** How many signs the mark is made of: 5 to 9. */
  readonly length: number;
  readonly tag?: string;
}

/** Reads a line as a mark of a search and replace hunk (`<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`). */
export function readHunkMark(line: string): HunkMarkLine | undefined {
  let start = 0;
  while (line.charCodeAt(start) === 32 || line.charCodeAt(start) === 9) start += 1;
  const sign = line.charAt(start);
  if (sign !== "<" && sign !== "=" && sign !== ">") return undefined;
  let end = start;
  while (line.charAt(end) === sign && end - start < 10) end += 1;
  const length = end - start;
  if (length < 5 || length > 9) return undefined;
  const { mark, rest } = markPatterns[sign];
  const words = line.slice(end).trim();
  const indent = line.slice(0, start);
  if (rest.test(words)) return { mark, indent, length };
  const gap = words.lastIndexOf(" ");
  const tag = words.slice(gap + 1).toLowerCase();
  const isTagged = tagPattern.test(tag) && rest.test(words.slice(0, Math.max(gap, 0)).trim());
  return isTagged ? { mark, indent, length, tag } : undefined;
}
