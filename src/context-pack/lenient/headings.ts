import { sectionNamed, sections, type SectionName } from "../sections.ts";

/** A line of a reply that may start a section. */
export interface Heading {
  /** Number of `#`; 7 for a line that is bold as a whole. */
  readonly level: number;
  /** As written, without signs. */
  readonly title: string;
  /** What stands behind a bold name in the same line: `**Task:** text`. */
  readonly inline?: string;
  /** The section it names exactly, in any case and with a translation beside it. */
  readonly name?: SectionName;
  /** The section it names in other words; counts only at the level the reply uses for sections. */
  readonly alias?: SectionName;
}

const aliases: ReadonlyMap<string, SectionName> = new Map(
  sections.flatMap((section) =>
    ("aliases" in section ? section.aliases : []).map((alias) => [alias, section.name] as const),
  ),
);

/** The heading that a line is: `## Task:`, `###goal`, `**constraints** (制約)`, `**Goal:** text`. */
export function readHeading(line: string): Heading | undefined {
  const hashes = /^ ?(#{1,6})(?!#)/.exec(line);
  const bold = hashes
    ? undefined
    : (/^ ?\*\*([^*]{1,80})\*\*:?\s*$/.exec(line) ??
      /^ ?\*\*(?:([^*:]{1,80}):\*\*|([^*:]{1,80})\*\*:)\s+(\S.*)$/.exec(line));
  const title = hashes
    ? withoutClosingHashes(line.slice(hashes[0].length).trim())
    : (bold?.[1] ?? bold?.[2]);
  const inline = bold?.[3];
  if (title === undefined || title === "" || title.length > 200) return undefined;
  const level = hashes ? (hashes[1] ?? "").length : 7;
  const words = [title, ...title.split(/[()（）[\]/|]/)].map(foldHeading);
  const name = words.map((word) => sectionNamed(word)?.name).find((one) => one !== undefined);
  const alias = words.map((word) => aliases.get(word)).find((one) => one !== undefined);
  if (level === 7 && name === undefined) return undefined;
  const [, label, behind] =
    name === undefined ? (/^([^:]{3,40}):\s+(\S.*)$/.exec(title) ?? []) : [];
  const labelled =
    alias ?? (label === undefined ? undefined : sectionNamed(foldHeading(label))?.name);
  if (alias === undefined && labelled !== undefined && behind !== undefined)
    return { level, title, name: labelled, inline: behind };
  return {
    level,
    title,
    ...(inline !== undefined && { inline }),
    ...(name !== undefined && { name }),
    ...(name === undefined && alias !== undefined && { alias }),
  };
}

function withoutClosingHashes(title: string): string {
  let end = title.length;
  while (title[end - 1] === "#") end--;
  return /\s/.test(title[end - 1] ?? "") ? title.slice(0, end).trim() : title;
}

/** The section that a key or a label names, in its own or other words. */
export function sectionCalled(written: string): SectionName | undefined {
  const word = foldHeading(written);
  return sectionNamed(word)?.name ?? aliases.get(word);
}

/** Lower case, one `_` between words, without pictures, numbering, emphasis, backticks and a last colon. */
function foldHeading(title: string): string {
  return title
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_")
    .toLowerCase()
    .replaceAll(/[*`"]/g, "")
    .replace(/^[^\p{L}\p{N}_]+/u, "")
    .replace(/^\s*(?:(?:section|step|part)\s+)?(?:\d{1,2}|[ivx]{1,4})[.):]\s+/, "")
    .replace(/[:：]\s*$/, "")
    .trim()
    .replaceAll(/[\s_-]+/g, "_");
}

/** Whether a line is the title in any dress: `# Context Pack`, `**CONTEXT PACK:** save bug`. */
export function isTitle(line: string): boolean {
  return /^\s{0,3}(?:#{1,6}\s*|\*\*\s*)[^\p{L}\p{N}_/.]{0,8}context[\s_-]?pack(?![\w/.-])/iu.test(
    line,
  );
}

/** The level of most headings that name a section; 2 when none does. */
export function sectionLevel(headings: readonly Heading[]): number {
  const counts = new Map<number, number>([[2, 0]]);
  for (const { level, name, alias } of headings) {
    if (name !== undefined || alias !== undefined) counts.set(level, (counts.get(level) ?? 0) + 1);
  }
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}
