import type { PackFile } from "../../contracts/index.ts";
import { present } from "../codec.ts";
import { oneLine, type PathHead, readPath, reasonOf } from "../markdown/file-grammar.ts";

/** Whether a file of exactly this name exists, relative to the repository. */
export type FileExists = (path: string) => boolean;

const RANGE = String.raw`L?(\d+)(?:[ \t]*(?:-|–|—|to|\.\.)[ \t]*L?(\d+))?`;
const MORE_RANGES = String.raw`(?:,[ \t]*L?\d+(?:[ \t]*[-–—][ \t]*L?\d+)?)*`;
/** `(lines 1-5)`, `(Lines 1–5, 9)`, `[L3-L9]`, `(7)`, and without brackets only with the word. */
const RANGES = new RegExp(
  String.raw`^[ \t]*(?:,[ \t]*)?(?:[([][ \t]*(?:lines?:?[ \t]*)?(${RANGE}${MORE_RANGES})[ \t]*[)\]]|lines?[ \t]+(${RANGE})(?![\w.]))`,
  "i",
);
const ONE_RANGE = new RegExp(RANGE, "gi");
const NEW = /^[ \t]*[*_]{0,2}[([](?:new|new file|create|to create|to be created)[)\]][*_]{0,2}/i;
/** `NEW: helper`, `new file`: what models write for `(new)` in a reason. */
const NEW_REASON =
  /^(?:[*_]{0,2}[([](?:new|new file|to create|create|to be created)[)\]][*_]{0,2}|(?:new(?: file)?|create|to be created)(?=[ \t]*(?:[:—–]|-[ \t]|$)))/i;
const SEPARATOR = /^[ \t]*(?:[:：](?=[ \t]|$)|(?:—|–|--|-|→|=>|:)(?=[ \t]|$)|[—–→](?=\S))/;
/** A line reference at the end of a path: `:7`, `:7:3`, `:12-40`, `#L7`, `#L12-L40`. */
const SUFFIX =
  /(?::L?(\d+)(?:[-–—]L?(\d+)|:\d+(?:[-–—](\d+):\d+|[-–—:]\d+)?)?|#L(\d+)(?:C\d+)?(?:[-–—]L?(\d+)(?:C\d+)?)?)$/;

/** A path as written with the range its ending names. The ending of a file's real name is no range. */
function readSuffix(
  written: string,
  exists: FileExists,
): { readonly path: string; readonly lines: readonly string[] } {
  const match = SUFFIX.exec(written);
  if (!match || match.index === 0 || exists(written)) return { path: written, lines: [] };
  const [whole, colonStart, colonEnd, columnEnd, hashStart, hashEnd] = match;
  const start = colonStart ?? hashStart ?? "";
  const path = written.slice(0, written.length - whole.length);
  return { path, lines: rangeOf(start, colonEnd ?? columnEnd ?? hashEnd ?? start) };
}

/** `"start-end"` where the figures make a range, else nothing. */
function rangeOf(from: string, to: string): readonly string[] {
  const [start, end] = [Number(from), Number(to)];
  return start >= 1 && start <= end && Number.isSafeInteger(end) ? [`${start}-${end}`] : [];
}

/** Paths with the ranges after them, and the rest of the item. */
export interface LenientHead {
  readonly path: string;
  readonly lines: readonly string[];
  readonly create: boolean;
  /** In backticks, in a link, or with a `/` or an ending: surely a path, not a word. */
  readonly isSure: boolean;
  readonly rest: string;
}

/** Everything before the reason; `undefined` where no path starts the text. */
export function readLenientHead(text: string, exists: FileExists): LenientHead | undefined {
  let rest = undress(text.trim().replace(/^[^\p{L}\p{N}`"'“‘„([*_./~@#$+-]+/u, ""));
  let create = false;
  const early = NEW.exec(rest) ?? /^new:?[ \t]+(?=`)/i.exec(rest);
  if (early) {
    create = true;
    rest = rest.slice(early[0].length).replace(/^[ \t]*:?[ \t]*/, "");
  }
  const head = withoutComma(readLinkOrPath(rest), exists);
  if (!head) return undefined;
  const suffix = readSuffix(head.path.trim(), exists);
  let lines: readonly string[] = [];
  rest = head.rest.replace(/^(?:\*\*|__|")(?=[\s:,(]|$)/, "");
  for (let parts = 0; parts < 4; parts++) {
    const ranges = RANGES.exec(rest);
    const isNew = ranges ? undefined : NEW.exec(rest);
    if (!ranges && !isNew) break;
    if (ranges) lines = [...lines, ...rangesOf(ranges[1] ?? ranges[4] ?? "")];
    if (isNew) create = true;
    rest = rest.slice((ranges ?? isNew)?.[0].length ?? 0);
  }
  return {
    path: suffix.path,
    lines: lines.length > 0 ? lines : suffix.lines,
    create,
    isSure: head.isSure || /[/\\]|\.\w+$/.test(suffix.path),
    rest,
  };
}

/** `src/a.ts,`, `src/a.ts.` and `src/a.ts—why`: no part of the path, unless a file is called so. */
function withoutComma<T extends PathHead>(head: T | undefined, exists: FileExists): T | undefined {
  if (!head || exists(head.path)) return head;
  const end = /[,;]$|(?<=\w)[—–]/.exec(head.path)?.index ?? 0;
  const isStop = head.path.endsWith(".") && exists(head.path.slice(0, -1));
  if (isStop) return { ...head, path: head.path.slice(0, -1) };
  if (end === 0) return head;
  const sign = head.path.slice(end).replace(";", ",");
  return { ...head, path: head.path.slice(0, end), rest: `${sign}${head.rest}` };
}

function rangesOf(text: string): readonly string[] {
  return [...text.matchAll(ONE_RANGE)].flatMap(([, from = "", to]) => rangeOf(from, to ?? from));
}

/** `**Path:** `src/a.ts``, `file: src/a.ts`. */
const LABEL = /^\**(?:path|file|file ?name|file ?path|datei|pfad)\**:\**[ \t]+/i;
/** `**Reason:** holds add`. */
const REASON_LABEL = /^\**(?:reason|why|description|purpose|role|grund)\**:\**[ \t]+/i;

/** Emphasis, quotes and a label around the start of an item fall away. */
function undress(text: string): string {
  const bare = text.replace(LABEL, "").replace(/^\[([^\][\s]+)\](?=[\s:]|$)/, "$1");
  for (const [sign, end = sign] of [
    ["**"],
    ["__"],
    ['"'],
    ["*"],
    ["'"],
    ["“", "”"],
    ["‘", "’"],
    ["„", "“"],
  ] as const) {
    const close = bare.startsWith(sign) ? bare.indexOf(end, sign.length) : -1;
    if (close > 0) {
      return `${bare.slice(sign.length, close)}${bare.slice(close + end.length)}`.trim();
    }
  }
  return bare;
}

function readLinkOrPath(text: string): (PathHead & { isSure: boolean }) | undefined {
  const link = /^\[([^\][]{1,400})\]\(([^()\s]{1,400})\)/.exec(text);
  if (!link) {
    const head = readPath(text);
    return head && { ...head, isSure: text.startsWith("`") };
  }
  const [whole, label = "", target = ""] = link;
  const name = label.replaceAll("`", "").trim();
  const path =
    /\s/.test(name) || (target.replace(/#.*$/, "").endsWith(name) && /#L?\d/.test(target))
      ? target
      : name;
  return { path, rest: text.slice(whole.length), isSure: true };
}

/** Another path after this one: in backticks, or a word with a `/` after a comma. */
const ALSO =
  /^[ \t]*(?:(?:,|and|&|,[ \t]*and)[ \t]*(?=`)|,[ \t]*(?:and[ \t]+)?(?=[^\s,`]+\/[^\s,]*\.\w))/i;

/** The files an item names; none where it cannot be read as files. */
export function readLenientFiles(text: string, exists: FileExists): readonly PackFile[] {
  const heads: LenientHead[] = [];
  let rest = oneLine(text);
  for (;;) {
    const head = readLenientHead(rest, exists);
    if (!head) return pathsInProse(text, exists);
    heads.push(head);
    const also = ALSO.exec(head.rest);
    rest = also ? head.rest.slice(also[0].length) : head.rest;
    if (!also) break;
  }
  rest = rest.replace(/^[ \t]*(?=\*\*(?:reason|why|description|purpose)\b)/i, " — ");
  const separator = SEPARATOR.exec(rest);
  const isReadable = separator !== null || rest.trim() === "" || heads.every((head) => head.isSure);
  if (!isReadable) return pathsInProse(text, exists);
  const written = rest
    .slice(separator?.[0].length ?? 0)
    .trim()
    .replace(REASON_LABEL, "");
  const reason = reasonOf(written.replace(NEW_REASON, "(new)"));
  return heads.map(({ path, lines, create }) => ({
    path,
    ...present("lines", lines),
    ...reason,
    ...(create && { create: true as const }),
  }));
}

/** `The bug is in `src/a.ts``: code spans in a sentence that name files which exist. */
function pathsInProse(text: string, exists: FileExists): readonly PackFile[] {
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => readSuffix(span, exists));
  return spans
    .filter(({ path }) => exists(path))
    .map(({ path, lines }) => ({ path, reason: oneLine(text), ...present("lines", lines) }));
}
