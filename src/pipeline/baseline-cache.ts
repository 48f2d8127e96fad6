import {
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CommandResult, GateResult } from "../contracts/index.ts";
import { openGit } from "../lib/git.ts";
import type { Ground } from "./ground.ts";
import { treeKey, type TreeOfCommands } from "./tree-key.ts";

/** Raised with the shape of what is stored. */
const VERSION = "baseline-1";

/** A suite that is faster than this is run again sooner than it is believed. */
const WORTH_MS = 2_000;

const MOST_ENTRIES = 8;

type Stored = Pick<GateResult, "green" | "withheld"> & {
  readonly commands: readonly Omit<CommandResult, "command" | "outputFile">[];
};

/** Results of untouched trees, in `.kit/cache` beside the run's record; safe to delete. */
export interface BaselineCache {
  /** What the tests said of this very tree earlier. */
  find(): Promise<GateResult | undefined>;
  /** Looks at the tree while the tests run on it: only a tree that held still is remembered. */
  watch(): void;
  keep(ground: Ground): Promise<void>;
}

/** A tree, and the folder of the run's record. */
export interface CachedTree extends TreeOfCommands {
  readonly recordFolder: string;
}

export function openBaselineCache(tree: CachedTree): BaselineCache {
  const kit = dirname(dirname(tree.recordFolder));
  const folder = join(kit, "cache", VERSION);
  const testCommands = tree.commands;
  const key = (): Promise<string | undefined> => treeKey(tree);
  let before: Promise<string | undefined> | undefined;
  return {
    async find() {
      if (!(await isOurs(kit, folder))) return undefined;
      before = key();
      const name = await before;
      if (name === undefined) return undefined;
      const stored = await readStored(join(folder, `${name}.json`));
      if (stored?.commands.length !== testCommands.length) return undefined;
      const commands = stored.commands.flatMap((result, place) => {
        const command = testCommands[place];
        return command === undefined ? [] : [{ ...result, command }];
      });
      const isByTest = commands.every(({ tests }) => tests !== undefined);
      const tests = isByTest ? commands.flatMap(({ tests = [] }) => tests) : undefined;
      return { commands, tests, green: stored.green, withheld: stored.withheld };
    },
    watch() {
      before ??= key();
    },
    async keep({ result, unsteady }) {
      const took = result.commands.reduce((sum, { durationMs }) => sum + durationMs, 0);
      const isSure =
        unsteady.tests.size + unsteady.commands.size === 0 &&
        result.commands.every(({ ended }) => ended.by === "exit");
      if (took < WORTH_MS || !isSure || result.environment !== undefined) return;
      // What tests do to hooks is said each time.
      if (result.changedHooks !== undefined) return;
      const name = await before;
      if (name === undefined || (await key()) !== name) return;
      await store(kit, folder, `${name}.json`, result).catch(() => undefined);
    },
  };
}

async function store(kit: string, folder: string, name: string, result: GateResult): Promise<void> {
  for (const each of [join(kit, "cache"), folder]) {
    await mkdir(each, { mode: 0o700 }).catch(() => undefined);
  }
  if (!(await isOurs(kit, folder))) return;
  const ignore = join(kit, "cache", ".gitignore");
  await writeFile(ignore, "*\n", { mode: 0o600, flag: "wx" }).catch(() => undefined);
  const { green, withheld } = result;
  const commands = result.commands.map((each) => {
    const { ended, durationMs, output, outputBytes, tests, reportedBy } = each;
    return {
      ended,
      durationMs,
      output,
      outputBytes,
      ...(tests !== undefined && { tests }),
      ...(reportedBy !== undefined && { reportedBy }),
    };
  });
  const file = join(folder, name);
  const text = JSON.stringify({ green, withheld, commands } satisfies Stored);
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
  await prune(folder);
}

/** A folder that a repository brings with it, or that leads elsewhere, is not kit's. */
async function isOurs(kit: string, folder: string): Promise<boolean> {
  const isReal = await lstat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (
    !isReal ||
    (await realpath(folder)) !== join(await realpath(dirname(kit)), ".kit", "cache", VERSION)
  ) {
    return false;
  }
  const git = await openGit(dirname(kit)).catch(() => undefined);
  const tracked = await git?.run(["ls-files", "--", ":(top).kit/cache"]);
  return tracked === undefined || tracked.length === 0;
}

async function readStored(file: string): Promise<Stored | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    const isStored =
      typeof value === "object" &&
      value !== null &&
      "commands" in value &&
      Array.isArray(value.commands);
    return isStored ? (value as Stored) : undefined;
  } catch {
    return undefined;
  }
}

async function prune(folder: string): Promise<void> {
  const names = await readdir(folder);
  const aged = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
  );
  const old = aged.toSorted((left, right) => right.at - left.at).slice(MOST_ENTRIES);
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })));
}
