import type { ContextPack } from "../contracts/index.ts";
import { isAboutPath } from "./json.ts";
import { readPackFile } from "./load.ts";
import { normalizePack, type PackFacts } from "./normalize/normalize.ts";
import { noChanges, type PackReport, reportOf } from "./normalize/report.ts";
import type { PackError, PackNote } from "./pack-error.ts";
import { readLenient } from "./parse.ts";
import { errorsOf, finish, newFindings, type ReadDraft } from "./reading.ts";
import { renderPack } from "./render.ts";
import { existsIn } from "./repository-files.ts";

/** A pack read, normalized and validated in one go, as `kit pack check` shows it. */
export type CheckedPack = {
  /** What the reader forgave, and every change of normalizing; `lines` holds both in words. */
  readonly report: PackReport & { readonly notes: readonly PackNote[] };
} & (
  | {
      readonly ok: true;
      readonly pack: ContextPack;
      /** Canonical bytes of the pack. */
      readonly markdown: string;
      readonly errors: readonly [];
    }
  | { readonly ok: false; readonly errors: readonly PackError[] }
);

/**
 * Checks a pack file, read strictly, for use in a repository: paths inside it are rewritten,
 * others dropped, everything else has to be right.
 * @param fileName only its ending counts.
 * @param facts without them nothing is normalized.
 */
export function checkPackFile(fileName: string, text: string, facts?: PackFacts): CheckedPack {
  const read = readPackFile(fileName, text);
  const canNormalize = read.findings.errors.length === 0 && errorsOf(read).every(isAboutPath);
  return facts && canNormalize ? normalized(read, facts) : asItIs(read);
}

/** Checks a model's reply: read leniently, then normalized and validated like a file. */
export function checkPackReply(reply: string, facts?: PackFacts): CheckedPack {
  const read = readLenient(reply, existsIn(facts?.files));
  return facts && read.findings.errors.length === 0 ? normalized(read, facts) : asItIs(read);
}

function asItIs(read: ReadDraft): CheckedPack {
  const { notes } = read.findings;
  const result = finish(read);
  const report = { ...reportOf(noChanges()), lines: notes.map(noteLine), notes };
  return result.ok
    ? { ok: true, pack: result.pack, markdown: renderPack(result.pack), report, errors: [] }
    : { ok: false, report, errors: result.errors };
}

function normalized(read: ReadDraft, facts: PackFacts): CheckedPack {
  const { notes } = read.findings;
  const { pack, report } = normalizePack(read.draft, facts);
  const whole = { ...report, notes, lines: [...notes.map(noteLine), ...report.lines] };
  const result = finish({ draft: pack, findings: newFindings() });
  return result.ok
    ? { ok: true, pack, markdown: renderPack(pack), report: whole, errors: [] }
    : { ok: false, report: whole, errors: result.errors };
}

function noteLine({ line, message }: PackNote): string {
  return line === undefined ? message : `line ${line}: ${message}`;
}
