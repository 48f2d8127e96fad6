import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { runProcess } from "../../lib/processes/index.ts";
import { isWithin, sandboxArguments } from "./mounts.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether this machine has a sandbox; if not, why, and what mends it. */
export type SandboxProbe =
  | { readonly available: true; readonly program: string }
  | { readonly available: false; readonly reason: string; readonly mend: string };

/** One answer a program for this process: the machine does not change under it. */
const probed = new Map<string, Promise<SandboxProbe>>();

/** Namespaces need a few milliseconds; a machine at its limit more. */
const probeMs = 10_000;

/**
 * Looks for bubblewrap without starting it. `root` is a repository: a program in it is not
 * trusted to confine what stands in it.
 */
export function findSandbox(env: Environment, root: string): SandboxProbe {
  if (process.platform !== "linux") {
    return {
      available: false,
      reason: "kit's sandbox is for Linux only for now",
      mend: "Run kit in a container or a virtual machine where the code is not trusted",
    };
  }
  const folders = (env["PATH"] ?? "").split(delimiter);
  const program = [...folders, "/usr/bin", "/usr/local/bin"]
    .filter((folder) => isAbsolute(folder) && !isWithin(folder, root))
    .map((folder) => join(folder, "bwrap"))
    .find(isProgram);
  if (program !== undefined) return { available: true, program };
  return {
    available: false,
    reason: "bubblewrap is not installed",
    mend: "Install it: apt-get install bubblewrap (dnf, pacman and apk have it by the same name)",
  };
}

/**
 * Really starts a program in a sandbox, as finding bubblewrap says little: containers and some
 * distributions refuse what it needs. Cached for this process.
 */
export function probeSandbox(env: Environment, root: string): Promise<SandboxProbe> {
  const found = findSandbox(env, root);
  if (!found.available) return Promise.resolve(found);
  const { program } = found;
  const before = probed.get(program);
  if (before !== undefined) return before;
  const probing = tryOut(program);
  probed.set(program, probing);
  return probing;
}

async function tryOut(program: string): Promise<SandboxProbe> {
  const enclosure = { program, network: false, overrideOwners: false };
  const mounts = [{ kind: "empty", path: "/tmp" }] as const;
  const [, ...args] = [...sandboxArguments(enclosure, mounts, "/"), "/bin/sh", "-c", ":"];
  const { ended, stderr } = await runProcess({
    program,
    args,
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    timeoutMs: probeMs,
    label: "sandbox",
  });
  if (ended.by === "exit" && ended.code === 0) return { available: true, program };
  const said = stderr.trim().split("\n")[0]?.slice(0, 200) ?? "";
  return {
    available: false,
    reason: `bubblewrap does not work here: ${said === "" ? `it ended by ${ended.by}` : said}`,
    mend: mendOf(said),
  };
}

/** What usually stands behind bubblewrap's words. */
function mendOf(said: string): string {
  if (/unknown option/i.test(said)) return "Install a newer bubblewrap, 0.4 at least";
  return (
    "Allow user namespaces: sysctl kernel.unprivileged_userns_clone=1 (Debian), an AppArmor " +
    "profile for bwrap (Ubuntu 24.04 and newer), --security-opt seccomp=unconfined (Docker)"
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
