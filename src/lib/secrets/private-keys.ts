import { mask } from "./values.ts";

const fence = "\n```";

/** No key is longer; what is farther apart belongs to two texts. */
const maxKeyChars = 64 * 1024;

/**
 * A PEM or PGP private key, from one marker line to the other; where an excerpt or an output was
 * cut between them, the lines of base64 beside the marker that is left.
 */
export function redactPrivateKeys(text: string): string {
  return redactBeforeEnds(redactAfterBegins(text));
}

function redactAfterBegins(text: string): string {
  const begin = /-----BEGIN ([A-Z0-9 ]{0,40})PRIVATE KEY( BLOCK)?-----/g;
  const endOf = endFinder(text);
  let result = "";
  let from = 0;
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const bodyStart = match.index + match[0].length;
    const endMarker = `-----END ${match[1] ?? ""}PRIVATE KEY${match[2] ?? ""}-----`;
    const endAt = endOf(endMarker, bodyStart);
    const isClosed = endAt !== -1 && endAt - bodyStart < maxKeyChars;
    const closed = isClosed ? text.slice(bodyStart, endAt) : fence;
    // No key holds the end of a code block: such markers belong to two files of one prompt.
    const bodyEnd = closed.includes(fence) ? endOfBase64(text, bodyStart) : endAt;
    const body = text.slice(bodyStart, bodyEnd);
    if (!holdsKey(body)) continue;
    const lineBreak = /^(?:\r?\n|\\r\\n|\\n)/.exec(body)?.[0] ?? "";
    result += text.slice(from, bodyStart) + lineBreak + mask + lineBreak;
    from = bodyEnd;
    begin.lastIndex = bodyEnd;
  }
  return result + text.slice(from);
}

/** Finds the next end marker; looks no further than once for each, however many keys begin. */
function endFinder(text: string): (marker: string, from: number) => number {
  const found = new Map<string, number>();
  return (marker, from) => {
    const known = found.get(marker);
    if (known !== undefined && (known === -1 || known >= from)) return known;
    const at = text.indexOf(marker, from);
    found.set(marker, at);
    return at;
  };
}

/** Code that only names the markers has no line of its own between them; a template a placeholder. */
function holdsKey(body: string): boolean {
  const inner = body.replaceAll(/\\r|\\n|[\s"'`+,>|]/g, "");
  if (inner === "" || inner === mask) return false;
  if (/^(?:\$\{?[\w.]+\}?|\{\{.*\}\}|%s|\.{2,}|…|<[^>]*>)$/.test(inner)) return false;
  return /^[ \t]*(?:[\r\n]|\\n|\\r)/.test(body) || /[A-Za-z0-9+/=]{40}/.test(body);
}

function endOfBase64(text: string, from: number): number {
  const line =
    /(?:\r?\n|\\r\\n|\\n)(?:[ \t]{0,8}\d{1,6}[ \t]{0,4}[:|\t])?[ \t>+|-]{0,16}(?:[A-Za-z0-9+/=]{16,}|[A-Z][A-Za-z-]{2,30}: [^\r\n]{0,200}|(?=\r?\n[A-Za-z0-9+/=]{16}))/y;
  let end = from;
  for (;;) {
    line.lastIndex = end;
    if (line.exec(text) === null) return end;
    end = line.lastIndex;
  }
}

/** One line of a key's body, with what an excerpt or a diff puts in front of it. */
const keyLine =
  /^((?:[ \t]{0,8}\d{1,6}[ \t]{0,4}[:|\t])?[ \t>+|"'-]{0,16})([A-Za-z0-9+/]{2,}={0,2})(["',+ \t]{0,8})$/;
/** The line that a body begins on, behind a name or words. */
const firstLine = /^(.*(?<![A-Za-z0-9+/]))([A-Za-z0-9+/]{40,}={0,2})(["',+ \t]{0,8})$/;
/** A break of lines and what stands in front of the marker, or of nothing. */
const gapBefore = /(?:\r?\n|\\r\\n|\\n)(?:[ \t]{0,8}\d{1,6}[ \t]{0,4}[:|\t])?[ \t>+|"'-]{0,16}$/;
const maxGapChars = 48;
/** Lines of keys have 64 or 76 characters; one without breaks is a line, too. */
const maxLineChars = 8192;

/** Bodies before an end marker whose beginning is not in the text. */
function redactBeforeEnds(text: string): string {
  let result = "";
  let from = 0;
  for (const { index } of text.matchAll(/-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g)) {
    const body = bodyBefore(text, from, index);
    if (body === undefined) continue;
    result += text.slice(from, body.start) + mask;
    from = body.end;
  }
  return result + text.slice(from);
}

interface Body {
  readonly start: number;
  readonly end: number;
}

/** The lines of base64 that stand right before a place, without the break behind them. */
function bodyBefore(text: string, from: number, markerAt: number): Body | undefined {
  let found: Body | undefined;
  let isKey = false;
  for (let at = markerAt; at > from;) {
    const gap = gapBefore.exec(text.slice(Math.max(from, at - maxGapChars), at))?.[0];
    if (gap === undefined) break;
    const lineEnd = at - gap.length;
    const floor = Math.max(from, lineEnd - maxLineChars);
    const above = text.slice(floor, lineEnd);
    const lineAt = Math.max(...["\n", "\\n"].map((sign) => endOfLast(above, sign)));
    const line = above.slice(lineAt);
    const [, lead = "", base64 = ""] = keyLine.exec(line) ?? firstLine.exec(line) ?? [];
    // The last line of a key may be short, none before it is.
    if (base64 === "" || (found !== undefined && base64.length < 16)) break;
    isKey ||= base64.length >= 16 || /\d|=$/.test(base64);
    const start = floor + lineAt + lead.length;
    found = { start, end: found?.end ?? start + base64.length };
    at = floor + lineAt;
  }
  return isKey ? found : undefined;
}

/** Behind the last `sign` of a text; 0 without one. */
function endOfLast(text: string, sign: string): number {
  const at = text.lastIndexOf(sign);
  return at === -1 ? 0 : at + sign.length;
}
