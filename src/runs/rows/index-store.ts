import { stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { codeOf } from "../../lib/files.ts";
import { openStore, removeStore, type Store, StoreError, storeFaultOf } from "../../lib/store.ts";
import { indexFile, indexSchema } from "./table.ts";

/** Others write for moments only; more tries than this mean that something is wrong. */
const mostTries = 5;

/**
 * Does something with the index of a repository's runs; an index that cannot be read is thrown
 * away first, as the runs themselves are the truth. Nothing is created where there are no runs.
 *
 * @returns undefined where there can be no index: read-only, a network file system, a link in its
 * place, or others that wrote all the time. Never throws for the index.
 */
export async function withIndex<T>(
  runsFolder: string,
  work: (store: Store) => T,
): Promise<T | undefined> {
  const file = indexFile(runsFolder);
  if (!(await isFolder(runsFolder))) return undefined;
  for (let tries = 1; tries <= mostTries; tries += 1) {
    let store: Store | undefined;
    try {
      store = await openStore(file, indexSchema);
      return work(store);
    } catch (error) {
      store?.close();
      store = undefined;
      const { fault } = storeFaultOf(error, file);
      if (fault === "network" || (fault === "unwritable" && !isOfAnotherShape(error))) {
        return undefined;
      }
      if (fault === "busy") await delay(20 * tries);
      else await removeStore(file).catch(() => undefined);
    } finally {
      store?.close();
    }
  }
  return undefined;
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return false;
    throw error;
  }
}

/** A database with other tables or columns, or with rows that are not kit's: SQLITE_ERROR, or no JSON. */
function isOfAnotherShape(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  const cause = error instanceof StoreError ? error.cause : error;
  return cause instanceof Error && "errcode" in cause && cause.errcode === 1;
}
