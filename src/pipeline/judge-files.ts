import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { TestCommand } from "../contracts/index.ts";
import { isRunnerConfiguration } from "../gate/index.ts";
import { isInside } from "../lib/files.ts";

/** Bytes of tests that are kept in memory; of what is beyond, a change is seen but not kept. */
const MOST_BYTES = 32 * 1024 * 1024;

/** The files that judge a change, as they were before any of kit's changes stood in the tree. */
export interface JudgeFiles {
  /** Remembers these, too (relative to the root, absolute), as they are now; known ones as they were. */
  remember(paths: Iterable<string>): void;
  /**
   * Those that hold something else by now, and configuration of runners that is new: the code under
   * test, or somebody, wrote them.
   */
  changed(): string[];
  /** Puts what they held into `folder` (absolute, private) and gives it. */
  keep(paths: readonly string[], folder: string): string;
}

interface Remembered {
  /** Time of the last change of the inode: nobody can set it back. */
  readonly changedAt: bigint;
  readonly bytes: Buffer | undefined;
}

/**
 * Remembers what the test commands read first: the manifests that say what `npm test` is, and which
 * configuration of runners stands where they run.
 * @param root absolute
 */
export function rememberJudgeFiles(root: string, commands: readonly TestCommand[]): JudgeFiles {
  const remembered = new Map<string, Remembered>();
  let room = MOST_BYTES;

  const folders = [...new Set([root, ...commands.map(({ cwd }) => cwd)])];
  const configurations = (): string[] => folders.flatMap((each) => configurationIn(each, root));
  const standing = new Set<string>();

  function remember(paths: Iterable<string>): void {
    // Also what the tests of the untouched tree leave behind.
    for (const path of configurations()) standing.add(path);
    for (const path of paths) {
      const changedAt = remembered.has(path) ? undefined : changeTimeOf(join(root, path));
      if (changedAt === undefined) continue;
      const bytes = room > 0 ? readFileSync(join(root, path)) : undefined;
      room -= bytes?.length ?? 0;
      remembered.set(path, { changedAt, bytes });
    }
  }

  remember(manifestsOf(commands, root));
  return {
    remember,
    changed() {
      const overwritten = [...remembered].flatMap(([path, { changedAt, bytes }]) => {
        const file = join(root, path);
        const now = changeTimeOf(file);
        if (now === changedAt) return [];
        return now !== undefined && bytes?.equals(readFileSync(file)) === true ? [] : [path];
      });
      const appeared = configurations().filter((path) => !standing.has(path));
      return [...new Set([...overwritten, ...appeared])];
    },
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

/** Where the scripts of the commands stand: a package manager looks beside where it runs. */
function manifestsOf(commands: readonly TestCommand[], root: string): string[] {
  return commands
    .flatMap(({ cwd, source }) => [
      join(cwd, "package.json"),
      ...(source.kind === "manifest" ? [source.file] : []),
    ])
    .filter((file) => isInside(root, file))
    .map((file) => relative(root, file));
}

function configurationIn(folder: string, root: string): string[] {
  try {
    const paths = readdirSync(folder).map((name) => relative(root, join(folder, name)));
    return paths.filter(isRunnerConfiguration);
  } catch {
    // A folder that is gone: the command says so itself.
    return [];
  }
}

function changeTimeOf(file: string): bigint | undefined {
  const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stat?.isFile() === true ? stat.ctimeNs : undefined;
}
