import { readFile, realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { KitError } from "../contracts/index.ts";
import { isSecretFile } from "../lib/redaction.ts";
import { decodeUtf8 } from "../lib/text.ts";
import { readFault } from "./errors.ts";
import type { Io } from "./io.ts";

/**
 * The text of a file that the user named, or of stdin for `-`. `what` names it in the error:
 * "The pack", "--task-file".
 * @throws KitError `usage` when it is a secret file, cannot be read or is not UTF-8: characters put in for what
 * cannot be read would end in the user's files.
 */
export async function readInput(what: string, path: string, io: Io): Promise<string> {
  const bytes = path === "-" ? await readStdin(io) : await readNamed(what, path, io);
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  const name = path === "-" ? "from stdin" : path;
  throw new KitError("usage", `${what} ${name} is not UTF-8 text.`, { next: "Save it as UTF-8" });
}

async function readNamed(what: string, path: string, io: Io): Promise<Uint8Array> {
  try {
    const place = await realpath(resolve(io.cwd, path));
    if ([path, place].some(isSecretFile)) {
      throw new KitError(
        "usage",
        `${what} ${path} is a secret file, and its text would go to a model.`,
        {
          next: "Write what is needed into a file of another name",
        },
      );
    }
    return await readFile(place);
  } catch (error) {
    if (error instanceof KitError) throw error;
    throw new KitError("usage", `${what} ${path} cannot be read: ${readFault(error)}.`, {
      cause: error,
      next: "Give the path of a readable file, or - for stdin",
    });
  }
}

/** Bytes first: a character may be cut in two between chunks. */
async function readStdin({ stdin }: Io): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  for await (const part of stdin) parts.push(Buffer.from(part as string | Uint8Array));
  return Buffer.concat(parts);
}
