import type { PackError } from "./pack-error.ts";
import { finish, packFromJson, type PackResult, readStrict } from "./parse.ts";

/**
 * A pack file, read strictly: JSON when the name ends in `.json` or the first sign is `{`, else
 * Markdown. Nothing is normalized.
 * @param fileName only its ending counts.
 */
export function loadPack(fileName: string, text: string): PackResult {
  if (!isJson(fileName, text)) return finish(readStrict(text));
  const value = readJson(text);
  return value.ok ? packFromJson(value.value) : { ok: false, errors: [value.error], report: [] };
}

function isJson(fileName: string, text: string): boolean {
  return /\.json$/i.test(fileName) || text.trimStart().startsWith("{");
}

function readJson(text: string): { ok: true; value: unknown } | { ok: false; error: PackError } {
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
