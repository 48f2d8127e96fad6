import type { ContextPack } from "../contracts/index.ts";
import { type PackDraft, toVersion2 } from "./codec.ts";
import type { Findings } from "./markdown/dialect.ts";
import type { PackError, PackNote } from "./pack-error.ts";
import { validatePack } from "./validate.ts";
import { draftToVersion1 } from "./version1.ts";

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

/** Reading errors and, where the text could be read, what the validator says, with lines. */
export function errorsOf({ draft, findings }: ReadDraft): PackError[] {
  if (findings.errors.length > 0) return findings.errors;
  const json = draft.version === 2 ? toVersion2(draft) : draftToVersion1(draft).json;
  return validatePack(json, draft.version ?? 1).map((error) => {
    const line = lineOf(error.field, findings.places);
    return line === undefined ? error : { ...error, line };
  });
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
