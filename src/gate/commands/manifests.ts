import { readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { TestCommand } from "../../contracts/index.ts";
import { readManifest } from "./manifest-text.ts";

/** A folder as the conventions see it. */
interface Folder {
  readonly names: ReadonlySet<string>;
  /** Names of this folder and of every folder above it up to the root. */
  readonly namesAbove: ReadonlySet<string>;
  /** Text of a file of this folder; undefined where there is none. */
  text(name: string): string | undefined;
}

/** One convention: a manifest and the command it stands for. */
interface Convention {
  readonly name: string;
  /** Files that show it, in order; the first one present is the source that is reported. */
  readonly manifests: readonly string[];
  /** Only looked at where no convention before it gave a command. */
  readonly lastResort?: true;
  command(folder: Folder, manifest: string): readonly string[] | undefined;
}

/**
 * Manifest → test command. A folder with several languages gives one command for each: a change
 * is only good when all of them are green.
 */
const conventions: readonly Convention[] = [
  {
    // `npm init` writes `echo "Error: no test specified" && exit 1`, which is not a test.
    name: "package.json scripts.test",
    manifests: ["package.json"],
    command(folder, manifest) {
      const script = testScript(folder.text(manifest));
      if (script === undefined || /no test specified/.test(script)) return undefined;
      return packageManagers[packageManager(folder)];
    },
  },
  {
    // In a workspace whose root is a package too, plain `cargo test` leaves the members out.
    name: "cargo",
    manifests: ["Cargo.toml"],
    command: (folder, manifest) =>
      /^\s*\[workspace[\].]/m.test(folder.text(manifest) ?? "")
        ? ["cargo", "test", "--workspace"]
        : ["cargo", "test"],
  },
  {
    // `./...` ends at the next module: of a workspace each module is named.
    name: "go workspace",
    manifests: ["go.work"],
    command(folder, manifest) {
      const modules = goModules(folder.text(manifest) ?? "");
      return modules.length === 0 ? undefined : ["go", "test", ...modules];
    },
  },
  {
    name: "go",
    manifests: ["go.mod"],
    command: (folder) =>
      goModules(folder.text("go.work") ?? "").length > 0 ? undefined : ["go", "test", "./..."],
  },
  {
    name: "maven",
    manifests: ["pom.xml"],
    command: (folder) => [folder.names.has("mvnw") ? "./mvnw" : "mvn", "-B", "test"],
  },
  {
    // A build of several projects has its wrapper and settings at the root alone.
    name: "gradle",
    manifests: ["build.gradle.kts", "build.gradle", "settings.gradle.kts", "settings.gradle"],
    command: (folder) => [folder.names.has("gradlew") ? "./gradlew" : "gradle", "test"],
  },
  { name: "mix", manifests: ["mix.exs"], command: () => ["mix", "test"] },
  {
    // pytest reads its own sections of these files (docs.pytest.org, "Configuration").
    name: "pytest",
    manifests: ["pytest.ini", ".pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini", "setup.py"],
    command(folder, manifest) {
      const names = [manifest, ...pythonManifests].filter((name) => folder.names.has(name));
      const mentioned = names.some((name) => /\bpytest\b/.test(folder.text(name) ?? ""));
      return mentioned || manifest.endsWith("pytest.ini") ? pythonRunner(folder) : undefined;
    },
  },
  {
    name: "tox",
    manifests: ["tox.ini"],
    lastResort: true,
    command: (folder, manifest) =>
      /^\[testenv/m.test(folder.text(manifest) ?? "") ? ["tox"] : undefined,
  },
  {
    // A rule line, not a variable (`test := x`); make reads GNUmakefile first.
    name: "make test",
    manifests: ["GNUmakefile", "makefile", "Makefile"],
    lastResort: true,
    command: (folder, manifest) =>
      /^test\s*::?(?!=)/m.test(folder.text(manifest) ?? "") ? ["make", "test"] : undefined,
  },
];

/** Patterns for the modules of a go.work file: `use ./a`, or a block of them. */
function goModules(text: string): readonly string[] {
  const plain = text.replaceAll(/\/\/.*$/gm, "");
  const blocks = [...plain.matchAll(/^\s*use\s*\(([^)]*)\)/gm)].flatMap(([, inner = ""]) =>
    inner.split("\n"),
  );
  const single = [...plain.matchAll(/^\s*use\s+([^\s(]+)\s*$/gm)].map(([, path = ""]) => path);
  return [...single, ...blocks]
    .map((path) => path.trim().replaceAll('"', "").replace(/\/+$/, ""))
    .filter((path) => /^\.(?:\/[\w.@-]+)*$/.test(path) && !path.split("/").includes(".."))
    .map((path) => `${path}/...`);
}

/** `bun test` and `deno test` are runners of their own: a script is started with `run`. */
const packageManagers: Readonly<Record<string, readonly string[]>> = {
  npm: ["npm", "test"],
  pnpm: ["pnpm", "test"],
  yarn: ["yarn", "test"],
  bun: ["bun", "run", "test"],
};

/** Lockfiles in the order in which they decide; a monorepo keeps its one at the root. */
const lockfiles: readonly (readonly [file: string, manager: string])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
];

const pythonManifests = [
  "pyproject.toml",
  "setup.cfg",
  "tox.ini",
  "setup.py",
  "requirements.txt",
  "requirements-dev.txt",
  "conftest.py",
];

/** Commands of the nearest folder, from `startFolder` up to `root`, whose manifests give any. */
export async function manifestCommands(
  root: string,
  startFolder: string,
): Promise<readonly TestCommand[]> {
  const folders = foldersUpTo(root, startFolder);
  const namesOf = new Map<string, ReadonlySet<string>>();
  for (const path of folders) namesOf.set(path, await namesIn(path));
  for (const [index, path] of folders.entries()) {
    const namesAbove = new Set(
      folders.slice(index).flatMap((each) => [...(namesOf.get(each) ?? [])]),
    );
    const found = await commandsOf(root, path, namesOf.get(path) ?? new Set(), namesAbove);
    if (found.length > 0) return found;
  }
  return [];
}

async function commandsOf(
  root: string,
  path: string,
  present: ReadonlySet<string>,
  namesAbove: ReadonlySet<string>,
): Promise<readonly TestCommand[]> {
  const wanted = [...conventions.flatMap(({ manifests }) => manifests), ...pythonManifests];
  const texts = new Map<string, string>();
  const names = new Set(present);
  for (const name of new Set(wanted)) {
    const text = present.has(name) ? await readManifest(join(path, name), root) : undefined;
    if (text === undefined) names.delete(name);
    else texts.set(name, text);
  }
  const folder: Folder = { names, namesAbove, text: (name) => texts.get(name) };
  const found: TestCommand[] = [];
  for (const convention of conventions) {
    if (convention.lastResort === true && found.length > 0) continue;
    const manifest = convention.manifests.find((name) => names.has(name));
    const argv = manifest === undefined ? undefined : convention.command(folder, manifest);
    if (manifest === undefined || argv === undefined) continue;
    const source = { kind: "manifest", file: join(path, manifest) } as const;
    found.push({ command: { argv }, cwd: path, source, trusted: true });
  }
  return found;
}

function foldersUpTo(root: string, startFolder: string): readonly string[] {
  const inside = relative(root, startFolder);
  if (inside.startsWith("..")) return [root];
  const folders = [startFolder];
  for (let at = startFolder; at !== root && at !== dirname(at); at = dirname(at)) {
    folders.push(dirname(at));
  }
  return folders;
}

async function namesIn(path: string): Promise<ReadonlySet<string>> {
  return new Set(await readdir(path).catch(() => []));
}

/** `scripts.test` of a package.json; undefined where it has none or is not JSON. */
function testScript(text: string | undefined): string | undefined {
  const manifest = packageJson(text);
  const scripts = manifest?.["scripts"];
  if (typeof scripts !== "object" || scripts === null) return undefined;
  const script: unknown = (scripts as Record<string, unknown>)["test"];
  return typeof script === "string" && script.trim() !== "" ? script : undefined;
}

function packageManager(folder: Folder): string {
  const named = packageJson(folder.text("package.json"))?.["packageManager"];
  const manager = typeof named === "string" ? named.split("@")[0] : undefined;
  if (manager !== undefined && Object.hasOwn(packageManagers, manager)) return manager;
  return lockfiles.find(([file]) => folder.namesAbove.has(file))?.[1] ?? "npm";
}

function packageJson(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse((text ?? "").replace(/^\uFEFF/, ""));
    return typeof value === "object" && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The project's own virtual environment first: a global pytest cannot see its packages. */
function pythonRunner(folder: Folder): readonly string[] {
  // A workspace of uv has its one lockfile at the root.
  if (folder.namesAbove.has("uv.lock")) return ["uv", "run", "pytest"];
  if (folder.names.has("poetry.lock")) return ["poetry", "run", "pytest"];
  if (folder.names.has("pdm.lock")) return ["pdm", "run", "pytest"];
  if (folder.names.has(".venv")) return [".venv/bin/python", "-m", "pytest"];
  return ["python3", "-m", "pytest"];
}
