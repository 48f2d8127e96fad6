import { readJson } from "./json.ts";
import { readStrict } from "./parse.ts";
import { finish, type PackResult, type ReadDraft } from "./reading.ts";

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
