import type { RepoPath } from "../contracts/index.ts";
import { isSecretFile } from "../lib/redaction.ts";
import { unreadBecause } from "./unread.ts";

/** The reason that keeps a file out of the list itself. */
export const secretFile = "secret file";

/** Names that no rule of secret, generated or binary files speaks of: nearly all sources. */
const ordinaryName =
  /^(?!id_)[A-Za-z0-9][\w-]*(?<!pb2?|_grpc|[-_]min|_generated)\.(?:[cm]?[jt]sx?|pyi?|go|rs|java|rb|kt|cs|swift|scala|cc?|cpp|hp?p?|md|css)$/i;

/**
 * Why a file is not read, by its path alone: `secret file`, or what `unreadBecause` says;
 * undefined where it may be read. What a folder's own name says is kept: files come by folder.
 */
export class UnreadPaths {
  #folder: string | undefined;
  #folderReason: string | undefined;
  #mayHoldSecrets = false;

  reasonOf(path: RepoPath): string | undefined {
    const cut = path.lastIndexOf("/") + 1;
    const folder = path.slice(0, cut);
    if (folder !== this.#folder) {
      this.#folder = folder;
      this.#folderReason = unreadBecause(`${folder}a.ts`);
      // Folders of credentials start with a dot.
      this.#mayHoldSecrets = /(?:^|[\\/])\./.test(folder);
    }
    const name = path.slice(cut);
    const isOrdinary = ordinaryName.test(name);
    const maySecret = this.#mayHoldSecrets || !isOrdinary;
    if (maySecret && isSecretFile(path)) return secretFile;
    return this.#folderReason ?? (isOrdinary ? undefined : unreadBecause(name));
  }
}
