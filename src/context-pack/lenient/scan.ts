import { type FenceEnd, type Line, type Opener, openerOf, scanLines } from "../markdown/lines.ts";
import { type SectionName, sections } from "../sections.ts";
import { readHeading } from "./headings.ts";
import type { ReplyDocument } from "./reply.ts";

/** The lines of a reply with their roles, and what was doubtful in finding them. */
export interface Scan {
  readonly lines: readonly Line[];
  /** Line numbers of fences that were left open. */
  readonly leftOpen: readonly number[];
  /** Index of the line that closes the fence around the document, else the number of lines. */
  readonly end: number;
  /** A fence was left open, or holds what looks like the opening of another. */
  readonly isDoubtful: boolean;
}

/** The lines by the plain reading: a fence ends where it is closed. */
export function scanPlainly(document: ReplyDocument): Scan {
  return scan(document, () => undefined);
}

/**
 * A fence left open can pair with the fence of a later section and swallow what stands between.
 * Only where a scan is doubtful and a required section is missing is the other reading tried, in
 * which a fence ends at a required section that did not come yet. A section that came never
 * makes content of a fence into one.
 */
export function scanReply(document: ReplyDocument): Scan {
  const plain = scanPlainly(document);
  const found = namesIn(plain.lines);
  if (!plain.isDoubtful || required.every((name) => found.has(name))) return plain;
  const repaired = scan(document, firstMissing);
  const more = namesIn(repaired.lines);
  return required.some((name) => more.has(name) && !found.has(name)) ? repaired : plain;
}

const required: readonly SectionName[] = sections
  .filter((section) => "required" in section)
  .map(({ name }) => name);

export function namesIn(lines: readonly Line[]): ReadonlySet<SectionName> {
  return new Set(lines.filter(isText).flatMap((line) => readHeading(line.text)?.name ?? []));
}

/** The line index at which a closed fence ends early, by the lines inside it. */
type EndsEarly = (
  headings: readonly (SectionName | undefined)[],
  open: number,
  close: number,
  seen: ReadonlySet<SectionName>,
) => number | undefined;

const firstMissing: EndsEarly = (headings, open, close, seen) => {
  for (let i = open + 1; i < close; i++) {
    const name = headings[i];
    if (name !== undefined && required.includes(name) && !seen.has(name)) return i;
  }
  return undefined;
};

function scan({ texts, start, wrapper }: ReplyDocument, endsEarly: EndsEarly): Scan {
  const body = texts.slice(start);
  const headings = body.map(sectionHeading);
  const nextSection = nextOf(headings);
  const leftOpen: number[] = [];
  const seen = new Set<SectionName>();
  let outside = 0;
  let end = body.length;
  let isDoubtful = false;
  const endOf = (opener: Opener, at: number, close: number | undefined): FenceEnd => {
    if (close === undefined && wrapper && closesWrapper(opener, wrapper)) {
      end = Math.min(end, at);
      return { before: body.length };
    }
    const early = close === undefined ? nextSection[at + 1] : endsEarly(headings, at, close, seen);
    if (close !== undefined && early === undefined) {
      isDoubtful ||= holdsOpener(body, opener, at, close);
      return { close };
    }
    leftOpen.push(start + at + 1);
    return { before: early ?? body.length };
  };
  const lines = scanLines(
    body,
    (opener, at, close) => {
      for (const name of headings.slice(outside, at)) if (name !== undefined) seen.add(name);
      const fenceEnd = endOf(opener, at, close);
      outside = "close" in fenceEnd ? fenceEnd.close : fenceEnd.before;
      return fenceEnd;
    },
    start,
  );
  isDoubtful ||= leftOpen.length > 0;
  return { lines: lines.slice(0, end), leftOpen, end: start + end, isDoubtful };
}

function holdsOpener(
  texts: readonly string[],
  opener: Opener,
  open: number,
  close: number,
): boolean {
  return texts.slice(open + 1, close).some((text) => {
    const inner = openerOf(text);
    return inner?.sign === opener.sign && inner.run >= opener.run && inner.info !== "";
  });
}

/** The section that a line names, by a heading of signs. */
function sectionHeading(text: string): SectionName | undefined {
  const heading = readHeading(text);
  return heading && heading.level < 7 ? heading.name : undefined;
}

/** What looks like a fence that nothing closes is the end of the fence around the document. */
function closesWrapper(opener: Opener, wrapper: Opener): boolean {
  return opener.sign === wrapper.sign && opener.run >= wrapper.run && opener.info === "";
}

/** For each line index, the index of the first line from there that names a section. */
function nextOf(headings: readonly (SectionName | undefined)[]): readonly number[] {
  const next = Array.from<number>({ length: headings.length + 1 }).fill(headings.length);
  for (let i = headings.length - 1; i >= 0; i--) {
    next[i] = headings[i] === undefined ? (next[i + 1] ?? headings.length) : i;
  }
  return next;
}

/** Whether a line is neither a fence nor inside one. */
export function isText(line: Line): boolean {
  return line.role === "text";
}
