import { existsSync, mkdirSync, mkdtempSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { KitError, type SandboxMode } from "../../contracts/index.ts";
import { homeFolder } from "../../lib/home-folder.ts";
import { sha256 } from "../../lib/text.ts";
import { isWithin, type Mount, sandboxArguments } from "./mounts.ts";
import { probeSandbox } from "./probe.ts";
import { repositoryMounts } from "./repository-places.ts";
import { secretPlaces } from "./secret-places.ts";
import { supervisor } from "./supervise.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What the tests of one tree may do. */
export interface SandboxRequest {
  readonly mode: SandboxMode;
  /** Absolute top level of the repository, links resolved. */
  readonly root: string;
  /** The environment kit was started with. */
  readonly environment: Environment;
  readonly network: boolean;
  /** Folders that stay readable where they lie in an emptied place; absolute. */
  readonly readable?: readonly string[];
  /** Further folders that tests may write into; absolute, those that exist count. */
  readonly writable: readonly string[];
  /** Absolute folders of hooks in the repository. */
  readonly hookFolders: readonly string[];
}

/** Where test commands run: confined, or with a reason why not. */
export type Sandbox =
  | {
      readonly confined: true;
      readonly network: boolean;
      /** Program and arguments in front of a command that runs in `cwd`. */
      through(cwd: string, writable: readonly string[]): readonly string[];
      /** The environment, with what the sandbox moves. */
      environment(env: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
      /** Removes the private temporary folder. */
      close(): Promise<void>;
    }
  | { readonly confined: false; readonly reason: string; close(): Promise<void> };

/** Places for everybody's files and sockets: each command finds them empty. */
const sharedFolders = ["/tmp", "/var/tmp", "/run"];

/**
 * Caches that tools must be able to write, and that would let tests of today change programs of
 * tomorrow: a folder of kit's for each repository stands in. Caches of packages (cargo, go, npm,
 * maven, nuget) are read where they are. Go builds its standard library anew once.
 */
const cacheVariables: Readonly<Record<string, string>> = {
  GOCACHE: "go-build",
  UV_CACHE_DIR: "uv",
  PIP_CACHE_DIR: "pip",
  CCACHE_DIR: "ccache",
};

/** Sockets of the desktop, in a folder that the sandbox empties. */
const doors = ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"];

/**
 * Opens the sandbox for the tests of one tree. With `auto`, a machine without one gives
 * `confined: false` and the reason.
 * @throws KitError `environment` for `on` where there is none.
 */
export async function openSandbox(request: SandboxRequest): Promise<Sandbox> {
  const { mode, root, environment: env } = request;
  const close = (): Promise<void> => Promise.resolve();
  if (mode === "off") return { confined: false, reason: "the sandbox is switched off", close };
  const probe = await probeSandbox(env, root);
  if (!probe.available) {
    if (mode === "auto") return { confined: false, reason: probe.reason, close };
    throw new KitError("environment", `There is no sandbox for the tests: ${probe.reason}.`, {
      next: `${probe.mend}. Or run them without: --sandbox off`,
    });
  }
  const own = realpathSync(mkdtempSync(join(tmpdir(), "kit-sandbox-")));
  const temporary = join(own, "tmp");
  const cache = cacheFolder(env, root) ?? join(own, "cache");
  for (const folder of [temporary, cache]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const mounts = [
    ...machineMounts(env, root),
    ...(request.readable ?? [])
      .flatMap(realFolder)
      .map((path): Mount => ({ kind: "readable", path })),
    ...secretMounts(env, own),
    ...[temporary, cache].map((path): Mount => ({ kind: "writable", path })),
  ];
  const { network } = request;
  const enclosure = { program: probe.program, network, overrideOwners: isOthers(root) };
  return {
    confined: true,
    network,
    through(cwd, writable) {
      // Looked at for each command: the record's folder, say, is made after this.
      const repository = repositoryMounts(root, request.hookFolders);
      const all = [...mounts, ...repository, ...writableMounts([...request.writable, ...writable])];
      const args = sandboxArguments(enclosure, all, realpathSync(cwd));
      return [...args, "/bin/sh", "-c", supervisor, "kit"];
    },
    environment: (given) => insideEnvironment(given, temporary, cache),
    close: () => rm(own, { recursive: true, force: true }),
  };
}

function insideEnvironment(
  env: Readonly<Record<string, string>>,
  temporary: string,
  cache: string,
): Readonly<Record<string, string>> {
  const caches = Object.entries(cacheVariables).map(([name, folder]) => [
    name,
    join(cache, folder),
  ]);
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !doors.includes(name))),
    ...Object.fromEntries(caches),
    TMPDIR: temporary,
    TMP: temporary,
    TEMP: temporary,
    npm_config_logs_dir: join(temporary, "npm-logs"),
  };
}

/** Kit's folder for caches of this repository's tests; `undefined` where none can be made. */
function cacheFolder(env: Environment, root: string): string | undefined {
  const { XDG_CACHE_HOME: named } = env;
  const base = named !== undefined && isAbsolute(named) ? named : join(homeFolder(env), ".cache");
  const folder = join(base, "kit", "tests", sha256(root).slice(0, 16));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return realpathSync(folder);
  } catch {
    return undefined;
  }
}

/** Shared places empty; what the command needs of them, programs and the home, for reading. */
function machineMounts(env: Environment, root: string): Mount[] {
  const shared = sharedFolders.flatMap(realFolder);
  const isShared = (path: string): boolean => shared.some((folder) => isWithin(path, folder));
  const programs = (env["PATH"] ?? "")
    .split(delimiter)
    .filter(isAbsolute)
    .flatMap(realFolder)
    // `bin` needs the `lib` beside it, `.bin` the packages around it.
    .map((path) => (shared.includes(dirname(path)) ? path : dirname(path)));
  const names = realFile("/etc/resolv.conf");
  const needed = [...programs, ...realFolder(homeFolder(env)), ...names]
    .filter((path) => isShared(path) && !shared.includes(path) && !isWithin(path, root))
    .map((path): Mount => ({ kind: "readable", path }));
  return [...shared.map((path): Mount => ({ kind: "empty", path })), ...needed];
}

function secretMounts(env: Environment, own: string): Mount[] {
  return secretPlaces(env).map((place, index): Mount => {
    if (place.kind === "folder") return { kind: "empty", path: place.path };
    const file = join(own, `stand-in-${index}`);
    writeFileSync(file, place.standIn, { mode: 0o600 });
    return { kind: "stand_in", path: place.path, file };
  });
}

function writableMounts(paths: readonly string[]): Mount[] {
  return paths.flatMap(realFolder).map((path): Mount => ({ kind: "writable", path }));
}

function isOthers(root: string): boolean {
  return process.getuid?.() === 0 && statSync(root).uid !== 0;
}

function realFolder(path: string): string[] {
  if (!existsSync(path)) return [];
  const real = realpathSync(path);
  return statSync(real).isDirectory() ? [real] : [];
}

function realFile(path: string): string[] {
  return existsSync(path) ? [realpathSync(path)] : [];
}
