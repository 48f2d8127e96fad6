import { lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import type { TestCommand } from "../contracts/index.ts";
import { commandText } from "../gate/index.ts";
import type { Git } from "../lib/git.ts";
import { sha256 } from "../lib/text.ts";

/** More changed files than this, or larger ones, are not hashed: the tests run instead. */
const MOST_FILES = 500;
const MOST_BYTES = 16 * 1024 * 1024;

/** What tells of installed dependencies, in the folders of commands; git may ignore any of it. */
const installed = [
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "bun.lock",
  "node_modules/.package-lock.json",
  "node_modules/.modules.yaml",
  "node_modules/.yarn-integrity",
  "uv.lock",
  "poetry.lock",
  "Pipfile.lock",
  ".venv/pyvenv.cfg",
  "Cargo.lock",
  "go.sum",
  "Gemfile.lock",
  "composer.lock",
];

/** Programs that are the toolchain of somebody's tests: another version is another file. */
const toolchain =
  "node npm pnpm yarn bun deno python3 python pytest tox uv poetry go cargo rustc java mvn gradle ruby bundle php dotnet make".split(
    " ",
  );

/** Variables that change what tests say. */
const variables =
  /^(?:PATH|HOME|LANG|LC_\w+|TZ|NODE_\w+|PYTHON\w*|PYENV_VERSION|VIRTUAL_ENV|GO\w+|RUST\w+|CARGO_\w+|JAVA_HOME|JDK_\w+)$/;

/** What a result of the tests is the result of. */
export interface TreeOfCommands {
  /** Absolute top level. */
  readonly root: string;
  /** Of the repository there; absent: there is none. */
  readonly git?: Git;
  readonly commands: readonly TestCommand[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names let through although they look like credentials. */
  readonly passEnvironment: readonly string[];
  /** What else decides how the commands run. */
  readonly settings: string;
}

/**
 * One hash over the tree (HEAD, what differs from it, untracked files that are not ignored), the
 * lockfiles, the commands and the toolchain. Undefined where that cannot be told at little cost:
 * no git, no commit, submodules, a great many changed files.
 */
export async function treeKey(tree: TreeOfCommands): Promise<string | undefined> {
  const { root, git } = tree;
  try {
    if (git === undefined || git.root !== root || kindOf(join(root, ".gitmodules")) !== "none") {
      return undefined;
    }
    const asked = Promise.all([
      git.run(["rev-parse", "HEAD^{tree}"]),
      git.run(["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames"]),
    ]);
    asked.catch(() => undefined);
    // Looked up while git works.
    const circumstances = circumstancesOf(tree);
    const [head, status] = await asked;
    const entries = status.toString("utf8").split("\0").filter(Boolean);
    const changed = entries.filter((entry) => !entry.startsWith("? .kit/"));
    if (changed.length > MOST_FILES) return undefined;
    let room = MOST_BYTES;
    const contents = changed.map((entry) => {
      const words = { "1": 8, u: 10, "?": 1 }[entry.charAt(0)] ?? 0;
      const content = contentOf(join(root, entry.split(" ").slice(words).join(" ")));
      room -= content.length;
      return `${entry} ${sha256(content)}`;
    });
    if (room < 0) return undefined;
    return sha256(JSON.stringify([head.toString("utf8"), contents, circumstances]));
  } catch {
    // Whatever stands in the way of a key stands in the way of a cache, and of nothing else.
    return undefined;
  }
}

/** All but the tree that decides what its tests say: lockfiles, commands, toolchain, variables. */
export function circumstancesOf(tree: TreeOfCommands): readonly unknown[] {
  const { root, commands, environment, passEnvironment, settings } = tree;
  const folders = [...new Set([root, ...commands.map(({ cwd }) => cwd)])];
  const locks = folders.flatMap((folder) => installed.map((name) => join(folder, name)));
  const seen = Object.entries(environment).filter(
    ([name]) => variables.test(name) || passEnvironment.includes(name),
  );
  return [
    settings,
    locks.map((file) => [relative(root, file), sha256(contentOf(file))]),
    commands.map((each) => [commandText(each), relative(root, each.cwd)]),
    seen.toSorted(([left], [right]) => left.localeCompare(right)),
    programs(environment["PATH"] ?? "", commands),
  ];
}

/** Each program with what its file is; a new version has another size, time or place. */
function programs(path: string, commands: readonly TestCommand[]): readonly string[] {
  const first = commands.map((each) => commandText(each).split(/\s/, 1)[0] ?? "");
  return [...new Set([...toolchain, ...first])].flatMap((name) => {
    for (const folder of path.split(delimiter)) {
      const file = join(folder, name);
      const stat = statSync(file, { throwIfNoEntry: false });
      if (name === "" || stat?.isFile() !== true) continue;
      return [`${name} ${realpathSync(file)} ${stat.size} ${stat.mtimeMs}`];
    }
    return [];
  });
}

function kindOf(file: string): "file" | "link" | "none" | "other" {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return "none";
  if (stat.isSymbolicLink()) return "link";
  return stat.isFile() ? "file" : "other";
}

/** Mode and bytes of a file, the target of a link, or a word for what else stands there. */
function contentOf(file: string): string {
  const kind = kindOf(file);
  if (kind === "link") return `link ${readlinkSync(file)}`;
  if (kind !== "file") return kind;
  return `${lstatSync(file).mode} ${readFileSync(file).toString("latin1")}`;
}
