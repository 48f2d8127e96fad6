import { sep } from "node:path";

/** What a command finds at a path, in place of what the machine has there. Absolute paths. */
export type Mount =
  /** The machine's own, for reading and writing, or for reading alone. */
  | { readonly kind: "writable" | "readable"; readonly path: string }
  /** An empty folder that is gone afterwards. */
  | { readonly kind: "empty"; readonly path: string }
  /** Another file's content, for reading. */
  | { readonly kind: "stand_in"; readonly path: string; readonly file: string };

/** What holds for a whole sandbox, beside its mounts. */
export interface Enclosure {
  /** Absolute path of bubblewrap. */
  readonly program: string;
  readonly network: boolean;
  /** Root may write into files of others only with this capability. */
  readonly overrideOwners: boolean;
}

/**
 * The whole machine for reading, and what every sandbox takes away. bubblewrap leaves `/proc/sys`
 * writable for root without capabilities: `kernel.core_pattern` names a program that runs outside.
 */
const machine = (
  "--ro-bind / / --dev /dev --proc /proc --ro-bind /proc/sys /proc/sys " +
  "--ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger --unshare-pid --unshare-ipc --unshare-uts " +
  "--unshare-cgroup-try --cap-drop ALL --new-session --die-with-parent"
).split(" ");

/**
 * bubblewrap's arguments: the whole machine for reading, the mounts over it, own process, IPC and
 * host-name spaces, no capabilities, no terminal, and nothing that outlives kit. A mount wins over
 * those of the folders above it; of two at one path the later one. The environment is inherited:
 * as an argument every user of the machine could read it.
 */
export function sandboxArguments(
  { program, network, overrideOwners }: Enclosure,
  mounts: readonly Mount[],
  cwd: string,
): readonly string[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]));
  const ordered = [...byPath.values()].toSorted(
    (one, other) => depth(one.path) - depth(other.path),
  );
  return [
    program,
    ...machine,
    ...ordered.flatMap(mountArguments),
    ...(network ? [] : ["--unshare-net"]),
    ...(overrideOwners ? ["--cap-add", "CAP_DAC_OVERRIDE"] : []),
    "--chdir",
    cwd,
    "--",
  ];
}

/** True for the folder itself and everything below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function mountArguments(mount: Mount): readonly string[] {
  switch (mount.kind) {
    case "writable":
      return ["--bind", mount.path, mount.path];
    case "readable":
      return ["--ro-bind", mount.path, mount.path];
    case "empty":
      return ["--tmpfs", mount.path];
    case "stand_in":
      return ["--ro-bind", mount.file, mount.path];
  }
}

function depth(path: string): number {
  return path.split(sep).filter(Boolean).length;
}
