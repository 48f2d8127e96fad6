import type { Findings, SectionBody } from "../markdown/dialect.ts";
import type { Line } from "../markdown/lines.ts";
import { shown } from "../pack-error.ts";
import type { SectionName } from "../sections.ts";
import { type Heading, isTitle, readHeading, sectionLevel } from "./headings.ts";
import { isRuler } from "./placeholders.ts";
import { findDocument, withoutComments } from "./reply.ts";
import { isText, namesIn, type Scan, scanPlainly, scanReply } from "./scan.ts";

/** The sections of a model's reply, whatever it is dressed in. What was forgiven is noted. */
export function lenientSections(reply: string, findings: Findings): SectionBody[] {
  const document = findDocument(reply);
  if (!document) {
    findings.errors.push({ field: "", line: 1, message: 'missing "# Context Pack" title' });
    return [];
  }
  if (document.hasTextBefore) note(findings, 1, "text before the pack dropped");
  const first = scanPlainly(document);
  const textLines = new Set(first.lines.filter(isText).map((line) => line.number - 1));
  const texts = withoutComments(document.texts, (index) => textLines.has(index));
  const best = scanReply({ ...document, texts });
  noteLeftOpen(best, findings);
  const after = texts.findIndex((line, index) => index > best.end && line.trim() !== "");
  if (after !== -1) note(findings, after + 1, "text after the pack dropped");
  return splitSections(lastPack(best.lines, findings), findings);
}

function noteLeftOpen({ lines, leftOpen }: Scan, findings: Findings): void {
  const open = new Set(leftOpen);
  let section = "";
  for (const line of lines) {
    if (isText(line)) section = readHeading(line.text)?.name ?? section;
    if (open.has(line.number)) note(findings, line.number, `fence left open in ## ${section}`);
  }
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
    if (start !== "unknown" && heading?.inline !== undefined)
      current.push({ ...line, text: heading.inline });
  }
  const last = bodies.at(-1);
  if (last) dropFarewell(last.lines, findings);
  for (const body of bodies) dropLastRuler(body.lines);
  const stray = preamble.find((line) => line.text.trim() !== "");
  if (stray) note(findings, stray.number, "text before the first section dropped");
  return joinRepeated(bodies, findings);
}

/** `---` and `I hope this helps!` under the last section are no part of it. */
function dropFarewell(lines: Line[], findings: Findings): void {
  const ruler = lines.findIndex((line) => isText(line) && isRuler(line.text));
  const isAllText = ruler !== -1 && TO_A_READER.test(textOf(lines.slice(ruler)));
  const goodbye = lines.findIndex((line) => isText(line) && FAREWELL.test(line.text));
  const from = isAllText ? ruler : goodbye;
  if (from === -1 || lines.slice(from).some((line) => !isText(line))) return;
  const [first] = lines.splice(from);
  if (first) note(findings, first.number, "text after the pack dropped");
}

const TO_A_READER = /\b(?:I|I'm|you|your|context pack)\b/i;
const FAREWELL =
  /^(?:i hope (?:this|that)|hope this helps|(?:please )?(?:let me know|feel free)|this (?:context )?pack (?:should|gives|provides|contains))\b/i;

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
  // `**Scope:** the cart` in a text is emphasis where sections have headings of signs.
  if (heading.inline !== undefined && heading.level !== level) return undefined;
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
