import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  checkPackFile,
  normalizePack,
  type PackError,
  selfCheckPack,
} from "../../context-pack/index.ts";
import { type ContextPack, KitError, type Problem } from "../../contracts/index.ts";
import { readInput } from "../input.ts";
import type { Io } from "../io.ts";
import type { Project } from "../project.ts";

/** The user's pack, read strictly and held against the repository; a task given beside it wins. */
export async function packOf(
  path: string,
  task: string | undefined,
  { root }: Project,
  io: Io,
): Promise<{ readonly pack: ContextPack; readonly text: string }> {
  const text = await readInput("--pack", path, io);
  const facts = { root, ...(task !== undefined && { task }) };
  const read = checkPackFile(path, text, facts);
  if (!read.ok) throw notAPack(path, read.errors);
  // Only now are the paths relative to the root, so that what exists can be asked.
  const named = [...read.pack.relevantFiles, ...(read.pack.relevantSnippets ?? [])];
  const files = named.map((file) => file.path).filter((file) => existsSync(join(root, file)));
  const { pack } = normalizePack(read.pack, { ...facts, files });
  const errors = selfCheckPack(pack, { files }).errors;
  if (errors.length > 0) throw notAPack(path, errors);
  return { pack: task === undefined ? pack : { ...pack, task }, text };
}

function notAPack(path: string, errors: readonly PackError[]): KitError {
  const problems = errors.map(({ field, line, message }): Problem => ({
    severity: "error",
    place: { file: path, ...(line !== undefined && { line }) },
    ...(field !== "" && { key: field }),
    message,
  }));
  return new KitError("usage", `${path} is not a usable Context Pack.`, {
    problems,
    next: `Mend it and see: kit pack check ${path}`,
  });
}
