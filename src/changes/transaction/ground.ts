import type { Failure, FailureOf, RepoPath } from "../../contracts/index.ts";
import type { FileSystem, Stat } from "./file-system.ts";
import { lookAt, lookAtWritable } from "./files.ts";
import { visitByFolder } from "./folder-groups.ts";
import type { Folder } from "./folders.ts";
import { Obstacle, barredWay, conflict, environment } from "./obstacle.ts";
import type { Step } from "./steps.ts";

/** What the tree holds of a plan's paths, all of it as the plan expects. */
export interface Ground {
  /** Bytes and facts of each file that will be replaced or removed. */
  readonly standing: ReadonlyMap<RepoPath, { readonly bytes: Buffer; readonly stat: Stat }>;
  /** Folders that have to be made, outermost first. */
  readonly missingFolders: readonly RepoPath[];
}

/**
 * Looks at every path of the steps and changes nothing.
 * @throws Obstacle for paths that are not what the plan was made against, that are links or lie
 * behind one, have a second name, or may not be written.
 */
export async function readGround(
  fs: FileSystem,
  root: string,
  steps: readonly Step[],
): Promise<Ground> {
  const standing = new Map<RepoPath, { bytes: Buffer; stat: Stat }>();
  const missing = new Set<string>();
  const conflicts: FailureOf<"conflict">[] = [];
  const look = async (folder: Folder, name: string, step: Step): Promise<void> => {
    if (step.before === undefined) return mustBeFree(fs, folder, name, step.path);
    standing.set(step.path, await mustBe(fs, folder, name, step.path, step.before));
  };
  await visitByFolder(fs, root, steps, {
    file: (folder, name, step) =>
      look(folder, name, step).catch((error: unknown) => {
        if (!(error instanceof Obstacle) || error.failure.kind !== "conflict") throw error;
        conflicts.push(error.failure);
      }),
    after: mustBeWritable,
    barred: async (way, group) => {
      for (const { path, before } of group) {
        if (way.kind !== "missing" || before !== undefined) throw barredWay(path, way);
        for (const folder of foldersFrom(way.at, path)) missing.add(folder);
      }
    },
  });
  if (conflicts.length > 0) throw new Obstacle(allConflicts(conflicts));
  const missingFolders = [...missing].sort((a, b) => a.length - b.length) as RepoPath[];
  return { standing, missingFolders };
}

/** One conflict that names every path; the message is the first one's. */
function allConflicts(conflicts: readonly FailureOf<"conflict">[]): Failure {
  const sorted = conflicts.toSorted((a, b) => (String(a.paths) < String(b.paths) ? -1 : 1));
  const more = sorted.length === 1 ? "" : ` So it is with ${sorted.length - 1} more.`;
  return {
    kind: "conflict",
    message: `${sorted[0]?.message ?? ""}${more}`,
    paths: sorted.flatMap(({ paths }) => paths),
    detail: sorted.map(({ message }) => message).join("\n"),
  };
}

/** `a`, `a/b/c.js` → `a`, `a/b`. */
function foldersFrom(first: string, path: string): readonly string[] {
  const segments = path.split("/");
  const depth = first.split("/").length;
  return segments
    .slice(depth - 1, -1)
    .map((_, index) => segments.slice(0, depth + index).join("/"));
}

async function mustBeFree(
  fs: FileSystem,
  folder: Folder,
  name: string,
  path: RepoPath,
): Promise<void> {
  const stands = await lookAt(fs, folder.at(name));
  if (stands.kind === "missing") return;
  throw conflict(
    path,
    stands.kind === "file"
      ? `${path} exists by now; kit was to create it and overwrites nothing.`
      : `${path} is ${stands.what}; kit was to create it.`,
  );
}

async function mustBe(
  fs: FileSystem,
  folder: Folder,
  name: string,
  path: RepoPath,
  hash: string,
): Promise<{ bytes: Buffer; stat: Stat }> {
  const stands = await lookAtWritable(fs, folder.at(name));
  if (stands.kind === "missing") throw conflict(path, `${path} is gone since it was read.`);
  if (stands.kind === "other") throw conflict(path, `${path} is ${stands.what}.`);
  if (stands.hash !== hash) throw conflict(path, `${path} was changed on disk since it was read.`);
  const { bytes, stat } = stands;
  if ((stat.mode & 0o222) === 0) {
    throw environment(`${path} is read-only.`, `chmod u+w '${path}'`);
  }
  if (stat.links > 1) {
    throw environment(
      `${path} has ${stat.links} names (hard links); writing it would part or change the others.`,
      `Give it a file of its own: cp -p '${path}' tmp && mv tmp '${path}'`,
    );
  }
  return { bytes, stat };
}

async function mustBeWritable(folder: Folder, [step]: readonly Step[]): Promise<void> {
  if (step === undefined || ((await folder.stat()).mode & 0o222) !== 0) return;
  const parent = step.path.slice(0, Math.max(step.path.lastIndexOf("/"), 0)) || ".";
  throw environment(`The folder ${parent} is read-only.`, `chmod u+w '${parent}'`);
}
