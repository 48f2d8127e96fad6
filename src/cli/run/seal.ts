import { createHmac, randomBytes } from "node:crypto";
import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RunStart } from "../../contracts/index.ts";
import { codeOf } from "../../lib/files.ts";
import { readOwnFile } from "../../lib/own-place.ts";
import { userStateFolder } from "../../lib/user-folders.ts";
import type { Io } from "../io.ts";

/** What a seal binds together: the same start in another place is another run. */
export interface Sealed {
  readonly root: string;
  readonly runId: string;
  readonly task: string;
  readonly start: Omit<RunStart, "seal">;
}

/**
 * Says that a run was started by this user on this machine. Records lie in the repository, and a
 * repository that came from elsewhere may bring records with commands of its own: those are never
 * run. The key is the user's, outside of every repository.
 * @returns undefined where the user's state folder cannot be used
 */
export async function sealOf(
  { root, runId, task, start }: Sealed,
  { env }: Pick<Io, "env">,
): Promise<string | undefined> {
  const key = await keyIn(userStateFolder(env)).catch(() => undefined);
  if (key === undefined) return undefined;
  const { flags, folder, pack = null, tree = null } = start;
  const text = JSON.stringify([root, runId, task, flags, folder, pack, tree]);
  return createHmac("sha256", key).update(text).digest("hex");
}

async function keyIn(folder: string): Promise<string | undefined> {
  const file = join(folder, "runs.key");
  const known = readOwnFile(file);
  if (known !== undefined && known.length >= 64) return known;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    const handle = await open(file, "wx", 0o600);
    try {
      await handle.writeFile(randomBytes(32).toString("hex"));
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  const made = readOwnFile(file);
  return made !== undefined && made.length >= 64 ? made : undefined;
}
