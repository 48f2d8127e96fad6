import { accessSync, constants, lstatSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SandboxMode } from "../../contracts/index.ts";
import { probeSandbox, trySandbox } from "../../gate/index.ts";
import { gitVersion } from "../../lib/git.ts";
import { homeFolder } from "../../lib/home-folder.ts";
import { userConfigFolder, userStateFolder } from "../../lib/user-folders.ts";
import type { Io } from "../io.ts";
import type { Project } from "../project.ts";
import { formatCount } from "../views/format.ts";
import { type Check, checksOf } from "./check.ts";

const { ok, warning, problem } = checksOf("machine");

/** The oldest that is supported; `node:sqlite` without a flag is what decides. */
const leastNode = [22, 19] as const;
/** `rev-parse --path-format` and `GIT_CONFIG_COUNT` came with it. */
const leastGit = [2, 31] as const;

const mib = 1024 * 1024;
/** Free bytes below which a run may fail, and below which it will. */
const space = { low: 500 * mib, none: 20 * mib };

/** Node, git, folders, disk and sandbox. Starts git and, for the sandbox, bubblewrap and Node. */
export async function checkMachine(
  { root, settings }: Pick<Project, "root" | "settings">,
  { env }: Pick<Io, "env">,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  return [
    checkNode(process.versions.node),
    checkGit(await gitVersion()),
    ...folderChecks(env),
    checkSpace(root),
    await checkSandbox(settings.sandbox.value, root, env, signal),
  ];
}

/** @param version of the Node that runs kit */
export function checkNode(version: string): Check {
  return isAtLeast(version, leastNode)
    ? ok("Node", version)
    : problem(
        "Node",
        `${version} is too old`,
        "Install Node 22.19 or newer: https://nodejs.org",
        5,
      );
}

/** @param version absent: there is none */
export function checkGit(version: string | undefined): Check {
  if (version === undefined) {
    const said = "not on PATH; kit works without, and without ignore rules, history and --isolate";
    return warning("git", said, "Install it: apt-get install git (brew install git)");
  }
  if (isAtLeast(version, leastGit)) return ok("git", version);
  return problem("git", `${version} is too old`, "Install git 2.31 or newer", 5);
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split(".").map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/** Kit's own folders: writable, the state for its owner alone. */
function folderChecks(env: Io["env"]): Check[] {
  const cache = join(env["XDG_CACHE_HOME"] ?? join(homeFolder(env), ".cache"), "kit");
  return [
    folderCheck("configuration folder", userConfigFolder(env), false),
    folderCheck("state folder", userStateFolder(env), true),
    folderCheck("cache folder", cache, false),
  ];
}

function folderCheck(name: string, folder: string, isPrivate: boolean): Check {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  const place = stats === undefined ? nearestFolder(folder) : folder;
  try {
    accessSync(place, constants.W_OK);
  } catch {
    return problem(name, `${folder} cannot be written`, `chmod u+rwx ${place}`, 5);
  }
  if (stats === undefined) return ok(name, `${folder} (made when it is needed)`);
  if (!stats.isDirectory()) {
    return stats.isSymbolicLink() && !isPrivate
      ? ok(name, `${folder} (a link)`)
      : problem(name, `${folder} is no folder`, `Move it away: mv ${folder} ${folder}.old`, 5);
  }
  if (isPrivate && (stats.mode & 0o077) !== 0) {
    return warning(name, `${folder} is open to other users`, `chmod 700 ${folder}`);
  }
  return ok(name, folder);
}

function nearestFolder(path: string): string {
  const above = dirname(path);
  const isThere = lstatSync(above, { throwIfNoEntry: false }) !== undefined;
  return isThere || above === path ? above : nearestFolder(above);
}

function checkSpace(root: string): Check {
  const { bavail, bsize } = statfsSync(root);
  const free = bavail * bsize;
  const said = `${formatCount(Math.floor(free / mib))} MiB free`;
  if (free < space.none) return problem("disk", said, "Free some disk space", 5);
  return free < space.low ? warning("disk", said, "Free some disk space") : ok("disk", said);
}

/** A sandbox that only seems to hold is worse than none: it is tried out. */
async function checkSandbox(
  mode: SandboxMode,
  root: string,
  env: Io["env"],
  signal: AbortSignal,
): Promise<Check> {
  const name = "sandbox";
  if (mode === "off") {
    return warning(
      name,
      "switched off: tests run with your rights",
      "Set sandbox: auto in kit.yaml",
    );
  }
  const failed = (said: string, mend: string): Check =>
    mode === "on"
      ? problem(name, said, mend, 5)
      : warning(name, `${said}: tests run with your rights`, mend);
  const probe = await probeSandbox(env, root);
  if (!probe.available) return failed(probe.reason, probe.mend);
  const folder = join(env["XDG_CACHE_HOME"] ?? join(homeFolder(env), ".cache"), "kit", "doctor");
  const trial = await trySandbox({ env, root, folder, signal });
  if (!trial.ran) return failed(trial.reason, "See docs/sandbox.md");
  if (trial.escapes.length > 0) {
    const said = `it does not hold: a confined program ${trial.escapes.join(", ")}`;
    return problem(name, said, "Do not rely on it: run kit in a container, and report this", 5);
  }
  return ok(name, "bubblewrap: writing outside, reading a secret and the network fail in it");
}
