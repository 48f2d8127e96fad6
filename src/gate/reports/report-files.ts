import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/** Of one report and of all reports of a command; 20,000 tests take some 10 MB. */
const maxBytes = 32 * 1024 * 1024;
const maxFiles = 5_000;

/** Bounds of a search below a command's folder. */
const maxDepth = 8;
const maxFolders = 5_000;
const skipped = new Set([".git", ".kit", "node_modules", ".venv", ".gradle", "src"]);

/** Texts of reports, or why they are not read. */
export type ReportTexts =
  | { readonly ok: true; readonly texts: readonly string[] }
  | { readonly ok: false; readonly fault: string };

/** Files of a folder whose name fits, in order. Never through a link. */
export async function reportsIn(folder: string, files: RegExp): Promise<ReportTexts> {
  const names = await readdir(folder).catch((): string[] => []);
  return readAll(names.filter((name) => files.test(name)).map((name) => join(folder, name)));
}

/**
 * Files below `top` that stand in a folder that fits, have a name that fits, and were written
 * since `sinceMs` (of the file system's clock): older ones tell of another run.
 */
export async function reportsBelow(
  top: string,
  { folders, files }: { readonly folders: RegExp; readonly files: RegExp },
  sinceMs: number,
): Promise<ReportTexts> {
  const found: string[] = [];
  const queue: { path: string; depth: number }[] = [{ path: top, depth: 0 }];
  for (let visited = 0; visited < maxFolders; visited += 1) {
    const next = queue.shift();
    if (next === undefined) break;
    const entries = await readdir(next.path, { withFileTypes: true }).catch(() => []);
    const isReports = folders.test(relative(top, next.path).replaceAll(sep, "/"));
    for (const entry of entries) {
      const path = join(next.path, entry.name);
      if (entry.isDirectory()) {
        if (next.depth < maxDepth && !skipped.has(entry.name))
          queue.push({ path, depth: next.depth + 1 });
      } else if (isReports && entry.isFile() && files.test(entry.name)) {
        const stats = await lstat(path).catch(() => undefined);
        if (stats !== undefined && stats.mtimeMs >= sinceMs) found.push(path);
      }
    }
  }
  return readAll(found);
}

async function readAll(paths: readonly string[]): Promise<ReportTexts> {
  if (paths.length > maxFiles)
    return { ok: false, fault: `there are more than ${maxFiles} reports` };
  const texts: string[] = [];
  let left = maxBytes;
  for (const path of paths.toSorted()) {
    const text = await readRegular(path, left);
    if (text === undefined)
      return { ok: false, fault: "it cannot be read, or is larger than 32 MB" };
    left -= text.length;
    texts.push(text);
  }
  return { ok: true, texts };
}

async function readRegular(path: string, maxSize: number): Promise<string | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(path, flags).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const stats = await handle.stat();
    return stats.isFile() && stats.size <= maxSize ? await handle.readFile("utf8") : undefined;
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}
