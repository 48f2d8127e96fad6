import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { KitError } from "../contracts/index.ts";
import { readFault } from "./errors.ts";
import type { Io } from "./io.ts";

/**
 * The text of a file that the user named, or of stdin for `-`. `what` names it in the error:
 * "The pack", "--task-file".
 * @throws KitError `usage` when it cannot be read.
 */
export async function readInput(what: string, path: string, io: Io): Promise<string> {
  if (path === "-") return readStdin(io);
  try {
    return await readFile(resolve(io.cwd, path), "utf8");
  } catch (error) {
    throw new KitError("usage", `${what} ${path} cannot be read: ${readFault(error)}.`, {
      cause: error,
      next: "Give the path of a readable file, or - for stdin",
    });
  }
}

/** Bytes first: a character may be cut in two between chunks. */
async function readStdin({ stdin }: Io): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stdin) parts.push(Buffer.from(part as string | Uint8Array));
  return Buffer.concat(parts).toString("utf8");
}
