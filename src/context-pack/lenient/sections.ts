import type { Findings, SectionBody } from "../markdown/dialect.ts";
import { type FenceEnd, type Line, type Opener, scanLines } from "../markdown/lines.ts";
import { shown } from "../pack-error.ts";
import type { SectionName } from "../sections.ts";
import { type Heading, isTitle, readHeading, sectionLevel } from "./headings.ts";
import { isRuler } from "./placeholders.ts";
import { findDocument, type ReplyDocument, withoutComments } from "./reply.ts";

/** The sections of a model's reply, whatever it is dressed in. What was forgiven is noted. */
export function lenientSections(reply: string, findings: Findings): SectionBody[] {
  const document = findDocument(reply);
  if (!document) {
    findings.errors.push({ field: "", line: 1, message: 'missing "# Context Pack" title' });
    return [];
  }
  if (document.hasTextBefore) note(findings, 1, "text before the pack dropped");
  const first = scan(document, whole);
  const textLines = new Set(first.lines.filter(isText).map((line) => line.number - 1));
  const texts = withoutComments(document.texts, (index) => textLines.has(index));
  const best = betterScan({ ...document, texts });
  noteLeftOpen(best, findings);
  const after = texts.findIndex((line, index) => index > best.end && line.trim() !== "");
  if (after !== -1) note(findings, after + 1, "text after the pack dropped");
  return splitSections(lastPack(best.lines, findings), findings);
}

interface Scan {
  readonly lines: readonly Line[];
  /** Line numbers of fences that were left open. */
  readonly leftOpen: readonly number[];
  /** Index of the line that closes the fence around the document, else the number of lines. */
  readonly end: number;
}

/**
 * A fence left open can pair with the fence of a later section and swallow what stands between.
 * Only where a scan ends with a fence left open is the other reading tried, in which a fence
 * ends at the first section inside it; the one that finds more sections is taken.
 */
function betterScan(document: ReplyDocument): Scan {
  const plain = scan(document, whole);
  if (plain.leftOpen.length === 0) return plain;
  const repaired = scan(document, endedBySection);
  return namesIn(repaired.lines).size > namesIn(plain.lines).size ? repaired : plain;
}

function namesIn(lines: readonly Line[]): ReadonlySet<SectionName> {
  return new Set(lines.filter(isText).flatMap((line) => readHeading(line.text)?.name ?? []));
}

/** Where a closed fence ends, by its closing line and the first section that starts inside it. */
type EndOfClosed = (close: number, section: number) => FenceEnd;

const whole: EndOfClosed = (close) => ({ close });
const endedBySection: EndOfClosed = (close, section) =>
  section < close ? { before: section } : { close };

function scan({ texts, start, wrapper }: ReplyDocument, endOfClosed: EndOfClosed): Scan {
  const body = texts.slice(start);
  const nextSection = nextSections(body);
  const leftOpen: number[] = [];
  let end = body.length;
  const lines = scanLines(
    body,
    (opener, at, close) => {
      const section = nextSection[at + 1] ?? body.length;
      if (close === undefined && wrapper && closesWrapper(opener, wrapper)) {
        end = Math.min(end, at);
        return { before: body.length };
      }
      const fenceEnd = close === undefined ? { before: section } : endOfClosed(close, section);
      if ("before" in fenceEnd) leftOpen.push(start + at + 1);
      return fenceEnd;
    },
    start,
  );
  return { lines: lines.slice(0, end), leftOpen, end: start + end };
}

/** What looks like a fence that nothing closes is the end of the fence around the document. */
function closesWrapper(opener: Opener, wrapper: Opener): boolean {
  return opener.sign === wrapper.sign && opener.run >= wrapper.run && opener.info === "";
}

/** For each line index, the index of the first line from there that is named like a section. */
function nextSections(texts: readonly string[]): readonly number[] {
  const next = Array.from<number>({ length: texts.length + 1 }).fill(texts.length);
  for (let i = texts.length - 1; i >= 0; i--) {
    const heading = readHeading(texts[i] ?? "");
    const isSection = heading?.name !== undefined && heading.level < 7;
    next[i] = isSection ? i : (next[i + 1] ?? texts.length);
  }
  return next;
}

function noteLeftOpen({ lines, leftOpen }: Scan, findings: Findings): void {
  const open = new Set(leftOpen);
  let section = "";
  for (const line of lines) {
    if (isText(line)) section = readHeading(line.text)?.name ?? section;
    if (open.has(line.number)) note(findings, line.number, `fence left open in ## ${section}`);
  }
}

function isText(line: Line): boolean {
  return line.role === "text";
}

/** Of several packs in one reply, the last that names a task and files. */
function lastPack(lines: readonly Line[], findings: Findings): readonly Line[] {
  const titles = lines.flatMap((line, index) =>
    isText(line) && isTitle(line.text) ? [index] : [],
  );
  if (titles.length === 0) return lines;
  const parts = [0, ...titles.map((index) => index + 1)].map((from, index) =>
    lines.slice(from, titles[index] ?? lines.length),
  );
  const isWhole = (part: readonly Line[]): boolean => {
    const names = namesIn(part);
    return names.has("task") && names.has("relevant_files");
  };
  const last = parts.findLast(isWhole) ?? parts[0] ?? [];
  note(findings, last[0]?.number ?? 1, `${parts.length} packs in one reply: one taken`);
  return last;
}

function splitSections(lines: readonly Line[], findings: Findings): SectionBody[] {
  const headings = new Map<Line, Heading>();
  for (const line of lines) {
    const heading = isText(line) ? readHeading(line.text) : undefined;
    if (heading) headings.set(line, heading);
  }
  const level = sectionLevel([...headings.values()]);
  const atLevel = new Set(
    [...headings.values()].filter((one) => one.level === level).map((one) => one.name ?? one.alias),
  );
  const bodies: (SectionBody & { lines: Line[] })[] = [];
  let current: Line[] = [];
  const preamble = current;
  for (const line of lines) {
    const heading = headings.get(line);
    const open = bodies.at(-1);
    const start = heading && sectionStart(heading, level, atLevel, open?.name);
    if (start === undefined) {
      current.push(line);
      continue;
    }
    current = [];
    if (start === "unknown") {
      note(findings, line.number, `unknown section "${shown(heading?.title ?? "")}" dropped`);
    } else bodies.push({ name: start, line: line.number, lines: current });
  }
  for (const body of bodies) dropLastRuler(body.lines);
  const stray = preamble.find((line) => line.text.trim() !== "");
  if (stray) note(findings, stray.number, "text before the first section dropped");
  return joinRepeated(bodies, findings);
}

/** A line drawn between this section and the next belongs to neither. */
function dropLastRuler(lines: Line[]): void {
  const last = lines.findLastIndex((line) => line.text.trim() !== "");
  const line = lines[last];
  if (line && isText(line) && isRuler(line.text)) lines.splice(last);
}

/** The section a heading starts; nothing where it is content of the section it stands in. */
function sectionStart(
  heading: Heading,
  level: number,
  atLevel: ReadonlySet<SectionName | undefined>,
  within: SectionName | undefined,
): SectionName | "unknown" | undefined {
  const { name, alias, title } = heading;
  if (heading.level === level) {
    const isHead = within === "relevant_snippets" && /[`/]|\.\w+(?:[\s:(]|$)/.test(title);
    return name ?? alias ?? (isHead ? undefined : "unknown");
  }
  if (name === undefined && heading.level >= 2 && heading.level < level) return "unknown";
  // At another level a name starts a section only where no section has it: `# goal` in a text.
  return name !== undefined && !atLevel.has(name) ? name : undefined;
}

function joinRepeated(bodies: readonly SectionBody[], findings: Findings): SectionBody[] {
  const joined = new Map<SectionName, SectionBody & { lines: Line[]; seen: Set<string> }>();
  for (const body of bodies) {
    const earlier = joined.get(body.name);
    const text = textOf(body.lines);
    if (!earlier) {
      joined.set(body.name, { ...body, lines: [...body.lines], seen: new Set([text]) });
      continue;
    }
    note(findings, body.line, `repeated section "${body.name}" joined`);
    if (earlier.seen.has(text)) continue;
    earlier.seen.add(text);
    earlier.lines.push({ text: "", number: body.line, role: "text" });
    for (const line of body.lines) earlier.lines.push(line);
  }
  return [...joined.values()];
}

function textOf(lines: readonly Line[]): string {
  return lines
    .map((line) => line.text)
    .join("\n")
    .trim();
}

function note(findings: Findings, line: number, message: string): void {
  findings.notes.push({ line, message });
}
