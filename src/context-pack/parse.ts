import type { PackDraft } from "./codec.ts";
import { readJson } from "./json.ts";
import { lenient } from "./lenient/dialect.ts";
import type { FileExists } from "./lenient/file-items.ts";
import { isTitle, readHeading } from "./lenient/headings.ts";
import { lenientSections } from "./lenient/sections.ts";
import { structuredDraft } from "./lenient/structured.ts";
import { readDraft } from "./markdown/draft.ts";
import { strict, strictSections } from "./markdown/strict.ts";
import type { PackError, PackNote } from "./pack-error.ts";
import { finish, newFindings, type PackResult, type ReadDraft } from "./reading.ts";
import { existsIn, type RepositoryFiles } from "./repository-files.ts";
import { sections } from "./sections.ts";
import { needsVersion2 } from "./version1.ts";

/** The draft of a file's Markdown, not validated yet. */
export function readStrict(text: string): ReadDraft {
  const findings = newFindings();
  const bodies = strictSections(text, findings);
  return { draft: readDraft(bodies, strict, findings), findings };
}

/** What no model decides: how much it may say, and what memory and kit's own sums say. */
const kitsOwn = new Set<string>([
  "context_items",
  "budget",
  ...sections.filter((section) => "computed" in section).map((section) => section.name),
]);

/**
 * The draft of a model's reply: Markdown in any dress, or JSON. What kit computes itself is not
 * taken from a model.
 */
export function readLenient(text: string, exists: FileExists = () => false): ReadDraft {
  const asData = (): ReadDraft | undefined => {
    const findings = newFindings();
    const draft = structuredDraft(text, exists, (name) => kitsOwn.has(name), findings);
    return draft && { draft: { ...draft, version: needsVersion2(draft) ? 2 : 1 }, findings };
  };
  const isMarkdown = text.split("\n").some((line) => isTitle(line) || startsTask(line));
  const data = isMarkdown ? undefined : asData();
  if (data) return data;
  const findings = newFindings();
  const sectionsRead = lenientSections(text, findings);
  // A block of a pack that has sections is content, whatever is written in it.
  if (sectionsRead.length === 0) {
    const underTitle = isMarkdown ? asData() : undefined;
    if (underTitle) return underTitle;
  }
  if (!isMarkdown && text.trimStart().startsWith("{")) return readJson(text);
  const bodies = sectionsRead.filter(({ name, line }) => {
    const isKits = kitsOwn.has(name);
    if (isKits) {
      findings.notes.push({ line, message: `section "${name}" is kit's own and was dropped` });
    }
    return !isKits;
  });
  const draft = readDraft(bodies, lenient(exists), findings);
  return { draft: { ...draft, version: needsVersion2(draft) ? 2 : 1 }, findings };
}

function startsTask(line: string): boolean {
  return readHeading(line)?.name === "task";
}

/** How a text is read. `files`: what exists in the repository, for names like `a:12`. */
export type ParseOptions =
  | { readonly mode: "strict" }
  | { readonly mode: "lenient"; readonly files?: RepositoryFiles };

/** A reply that was read, not validated and not normalized yet; or why it cannot be read. */
export type DraftResult =
  | { readonly ok: true; readonly pack: PackDraft; readonly report: readonly PackNote[] }
  | {
      readonly ok: false;
      readonly errors: readonly PackError[];
      readonly report: readonly PackNote[];
    };

/**
 * Reads the Markdown of a pack. Strict is for files and gives a valid pack or every error;
 * lenient is for model replies and gives a draft for `normalizePack`.
 */
export function parsePack(text: string, options: { readonly mode: "strict" }): PackResult;
export function parsePack(text: string, options: ParseOptions): DraftResult;
export function parsePack(text: string, options: ParseOptions): DraftResult {
  if (options.mode === "strict") return finish(readStrict(text));
  const { draft, findings } = readLenient(text, existsIn(options.files));
  return findings.errors.length > 0
    ? { ok: false, errors: findings.errors, report: findings.notes }
    : { ok: true, pack: draft, report: findings.notes };
}
