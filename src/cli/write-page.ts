import { lstat, open } from "node:fs/promises";
import { dirname } from "node:path";
import { KitError } from "../contracts/index.ts";
import { codeOf, writeFileDurably } from "../lib/files.ts";

/** An HTML page, and what may stand where it goes. */
export interface PageToWrite {
  /** Absolute. */
  readonly path: string;
  readonly page: string;
  /** A page of kit's own holds this near its start, and is replaced without asking. */
  readonly mark: string;
  /** Readable by its owner alone. */
  readonly isPrivate: boolean;
  /** Replaces any other file too. */
  readonly force: boolean;
}

/**
 * Writes a page; gives its bytes.
 * @throws KitError `conflict` where something that is not kit's stands there; `usage` where there is
 * no folder for it
 */
export async function writePage(request: PageToWrite): Promise<number> {
  const { path, page, mark, isPrivate, force } = request;
  const found = await whatStandsAt(path, mark);
  if (found === "other" || (found === "file" && !force)) {
    throw new KitError("conflict", `${path} is there already, and is no report of kit.`, {
      next:
        found === "file"
          ? "Replace it with --force, or name another: --output FILE"
          : "Name another: --output FILE",
    });
  }
  const bytes = Buffer.from(page);
  try {
    await writeFileDurably(path, bytes, isPrivate ? 0o600 : undefined);
  } catch (error) {
    if (!["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) throw error;
    throw new KitError("usage", `${dirname(path)} is no folder.`, {
      cause: error,
      next: `mkdir -p ${dirname(path)}`,
    });
  }
  return bytes.length;
}

/** A link is not followed: what it leads to is not kit's. */
async function whatStandsAt(
  path: string,
  mark: string,
): Promise<"nothing" | "own" | "file" | "other"> {
  try {
    if (!(await lstat(path)).isFile()) return "other";
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return "nothing";
    throw error;
  }
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
    return buffer.subarray(0, bytesRead).includes(mark) ? "own" : "file";
  } finally {
    await file.close();
  }
}
