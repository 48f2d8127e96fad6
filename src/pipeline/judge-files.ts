import { lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Bytes of tests that are kept in memory; of what is beyond, a change is seen but not kept. */
const MOST_BYTES = 32 * 1024 * 1024;

/** The files that judge a change, as they were before any of kit's changes stood in the tree. */
export interface JudgeFiles {
  /** Those that hold something else by now: the code under test, or somebody, wrote over them. */
  changed(): string[];
  /** Puts what they held into `folder` (absolute, private) and gives it. */
  keep(paths: readonly string[], folder: string): string;
}

interface Remembered {
  /** Time of the last change of the inode: nobody can set it back. */
  readonly changedAt: bigint;
  readonly bytes: Buffer | undefined;
}

/** Remembers the regular files among `paths` (relative to `root`, absolute). */
export function rememberJudgeFiles(root: string, paths: Iterable<string>): JudgeFiles {
  const remembered = new Map<string, Remembered>();
  let room = MOST_BYTES;
  for (const path of paths) {
    const changedAt = changeTimeOf(join(root, path));
    if (changedAt === undefined) continue;
    const bytes = room > 0 ? readFileSync(join(root, path)) : undefined;
    room -= bytes?.length ?? 0;
    remembered.set(path, { changedAt, bytes });
  }
  return {
    changed: () =>
      [...remembered].flatMap(([path, { changedAt, bytes }]) => {
        const file = join(root, path);
        const now = changeTimeOf(file);
        if (now === changedAt) return [];
        return now !== undefined && bytes?.equals(readFileSync(file)) === true ? [] : [path];
      }),
    keep(changed, folder) {
      for (const path of changed) {
        const bytes = remembered.get(path)?.bytes;
        if (bytes === undefined) continue;
        const file = join(folder, path);
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        writeFileSync(file, bytes, { mode: 0o600 });
      }
      return folder;
    },
  };
}

function changeTimeOf(file: string): bigint | undefined {
  const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stat?.isFile() === true ? stat.ctimeNs : undefined;
}
