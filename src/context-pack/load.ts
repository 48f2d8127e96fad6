import { fromJson } from "./codec.ts";
import type { PackError } from "./pack-error.ts";
import { finish, newFindings, type PackResult, type ReadDraft, readStrict } from "./parse.ts";
import type { Version1Json, Version2Json } from "./schema.ts";
import { validatePack } from "./validate.ts";

/**
 * A pack file, read strictly: JSON when the name ends in `.json` or the first sign is `{`, else
 * Markdown. Nothing is normalized.
 * @param fileName only its ending counts.
 */
export function loadPack(fileName: string, text: string): PackResult {
  return finish(readPackFile(fileName, text));
}

/** The draft of a pack file; paths are the only thing that may still be wrong in it. */
export function readPackFile(fileName: string, text: string): ReadDraft {
  const isJson = /\.json$/i.test(fileName) || text.trimStart().startsWith("{");
  return isJson ? readJson(text) : readStrict(text);
}

/** Whether normalizing can put an error right: a path that only has to be rewritten or dropped. */
export function isAboutPath(error: PackError): boolean {
  return error.field.endsWith(".path");
}

function readJson(text: string): ReadDraft {
  const findings = newFindings();
  const parsed = parseJson(text);
  if (!parsed.ok) {
    findings.errors.push(parsed.error);
    return { draft: {}, findings };
  }
  const errors = validatePack(parsed.value);
  if (errors.every(isAboutPath)) {
    return { draft: fromJson(parsed.value as Version1Json | Version2Json), findings };
  }
  findings.errors.push(...errors);
  return { draft: {}, findings };
}

function parseJson(text: string): { ok: true; value: unknown } | { ok: false; error: PackError } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const position = /position (\d+)/.exec(reason);
    const before = text.slice(0, position ? Number(position[1]) : text.length);
    const line = before.split("\n").length;
    return { ok: false, error: { field: "", line, message: `not JSON: ${reason}` } };
  }
}
