import type { ContextPack } from "../contracts/index.ts";
import { fromJson, type PackDraft, toVersion2 } from "./codec.ts";
import { lenient } from "./lenient/dialect.ts";
import type { FileExists } from "./lenient/file-items.ts";
import { lenientSections } from "./lenient/sections.ts";
import type { Findings } from "./markdown/dialect.ts";
import { readDraft } from "./markdown/draft.ts";
import { strict, strictSections } from "./markdown/strict.ts";
import type { PackError, PackNote } from "./pack-error.ts";
import type { Version1Json, Version2Json } from "./schema.ts";
import { sectionNamed } from "./sections.ts";
import { existsIn, type RepositoryFiles } from "./repository-files.ts";
import { validatePack } from "./validate.ts";
import { draftToVersion1, needsVersion2 } from "./version1.ts";

/** A pack that was read, with what the reader forgave; or every error there is. */
export type PackResult =
  | { readonly ok: true; readonly pack: ContextPack; readonly report: readonly PackNote[] }
  | {
      readonly ok: false;
      readonly errors: readonly PackError[];
      readonly report: readonly PackNote[];
    };

/** A draft and what reading it found. It may be used only where `findings.errors` is empty. */
export interface ReadDraft {
  readonly draft: PackDraft;
  readonly findings: Findings;
}

/** New, empty findings. */
export function newFindings(): Findings {
  return { errors: [], notes: [], places: new Map() };
}

/** The draft of a file's Markdown, not validated yet. */
export function readStrict(text: string): ReadDraft {
  const findings = newFindings();
  const bodies = strictSections(text, findings);
  return { draft: readDraft(bodies, strict, findings), findings };
}

/**
 * The draft of a model's reply: Markdown in any dress, or JSON. What kit computes itself is not
 * taken from a model.
 */
export function readLenient(text: string, exists: FileExists = () => false): ReadDraft {
  const findings = newFindings();
  const bodies = lenientSections(text, findings).filter(({ name, line }) => {
    const isKits = name === "context_items" || sectionNamed(name)?.computed === true;
    if (isKits) {
      findings.notes.push({ line, message: `section "${name}" is kit's own and was dropped` });
    }
    return !isKits;
  });
  const draft = readDraft(bodies, lenient(exists), findings);
  return { draft: { ...draft, version: needsVersion2(draft) ? 2 : 1 }, findings };
}

/** Reading errors and, where the text could be read, what the validator says, with lines. */
export function errorsOf({ draft, findings }: ReadDraft): PackError[] {
  if (findings.errors.length > 0) return findings.errors;
  const json = draft.version === 2 ? toVersion2(draft) : draftToVersion1(draft).json;
  return validatePack(json, draft.version ?? 1).map((error) => {
    const line = lineOf(error.field, findings.places);
    return line === undefined ? error : { ...error, line };
  });
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

/** A validated pack of a draft, or its errors. */
export function finish(read: ReadDraft): PackResult {
  const errors = errorsOf(read);
  const report = read.findings.notes;
  return errors.length > 0
    ? { ok: false, errors, report }
    : { ok: true, pack: read.draft as ContextPack, report };
}

/** The line of the field, or of what holds it. */
function lineOf(field: string, places: ReadonlyMap<string, number>): number | undefined {
  for (let name = field; name !== ""; name = name.replace(/(?:\.[^.[]*|\[\d+\]|^[^.[]+)$/, "")) {
    const line = places.get(name);
    if (line !== undefined) return line;
  }
  return undefined;
}

/** The pack of a JSON value, or its errors. */
export function packFromJson(value: unknown): PackResult {
  const errors = validatePack(value);
  return errors.length > 0
    ? { ok: false, errors, report: [] }
    : { ok: true, pack: fromJson(value as Version1Json | Version2Json), report: [] };
}
