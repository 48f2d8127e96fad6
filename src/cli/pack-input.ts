import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { loadPack, type PackResult, parsePack } from "../context-pack/index.ts";
import { KitError } from "../contracts/index.ts";
import type { Io } from "./io.ts";

/** Options of every command that reads a pack. */
export interface PackOptions {
  readonly lenient?: boolean;
}

/**
 * Reads the pack that the user named.
 *
 * @param file a path, or `-` for stdin
 * @throws KitError `usage` for a file that cannot be read; what is wrong inside is in the result
 */
export async function readPack(file: string, options: PackOptions, io: Io): Promise<PackResult> {
  const text = file === "-" ? await readAll(io) : await readUserFile(file, io);
  return options.lenient === true ? parsePack(text, { mode: "lenient" }) : loadPack(file, text);
}

async function readAll({ stdin }: Io): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stdin) parts.push(Buffer.from(part as string | Uint8Array));
  return Buffer.concat(parts).toString("utf8");
}

async function readUserFile(file: string, io: Io): Promise<string> {
  try {
    return await readFile(resolve(io.cwd, file), "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new KitError("usage", `The pack cannot be read: ${reason}`, {
      cause: error,
      next: "Give the path of a readable file, or - for stdin",
    });
  }
}
