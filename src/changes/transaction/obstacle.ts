import type { Failure } from "../../contracts/index.ts";
import { errorCode } from "./file-system.ts";
import { MovedError } from "./folders.ts";
import type { Way } from "./folders.ts";

/** Why a transaction stops; carried as an exception inside this folder, never out of it. */
export class Obstacle extends Error {
  override readonly name = "Obstacle";
  readonly failure: Failure;
  /** The tree is neither old nor new until the next `recover`. */
  readonly isUnrestored: boolean;

  constructor(failure: Failure, tree: "untouched" | "unrestored" = "untouched") {
    super(failure.message);
    this.failure = failure;
    this.isUnrestored = tree === "unrestored";
  }
}

/** The tree is not what the plan was made against. `message` names the path. */
export function conflict(path: string, message: string): Obstacle {
  return new Obstacle({ kind: "conflict", message, paths: [path] });
}

/** Something about this file or disk that no model can mend. */
export function environment(message: string, mend: string, detail?: string): Obstacle {
  const failure: Failure = { kind: "environment", message, mend };
  return new Obstacle(detail === undefined ? failure : { ...failure, detail });
}

/** The obstacle for a way that does not end in a folder. */
export function barredWay(path: string, way: Exclude<Way, { kind: "folder" }>): Obstacle {
  if (way.kind === "missing") {
    return conflict(path, `${path} is gone: the folder ${way.at} is not there any more.`);
  }
  const what = way.kind === "link" ? `a symbolic link to ${way.target}` : way.what;
  return conflict(path, `${path} is not written: ${way.at} is ${what}.`);
}

/** Words and mending step for the errno codes a disk answers with. */
const errnoWords: Readonly<Record<string, readonly [words: string, mend: string]>> = {
  ENOSPC: ["the disk is full", "Make room on the disk."],
  EDQUOT: ["the disk quota is used up", "Make room within the quota."],
  EROFS: ["the file system is read-only", "Mount it writable."],
  EACCES: ["kit may not write there", "Give yourself permission to write there (chmod u+w)."],
  EPERM: ["the system forbids it", "Look for an immutable flag or missing rights (lsattr, ls -l)."],
  EIO: ["the disk reports an input/output error", "Check the disk."],
  EMFILE: ["too many files are open", "Raise the limit of open files (ulimit -n)."],
  ENFILE: ["too many files are open in the system", "Close programs that hold many files."],
  ENAMETOOLONG: ["the name is too long for this file system", "Use a shorter name."],
};

/**
 * An error met while working on `what` (a path, or a phrase) as an obstacle, where it is the
 * system's; anything else is a bug and comes back as it is.
 */
export function toObstacle(error: unknown, what: string): unknown {
  if (error instanceof MovedError) {
    return conflict(what, `${what}: the folder ${error.message} was moved or replaced meanwhile.`);
  }
  const code = errorCode(error);
  if (code === undefined || error instanceof Obstacle) return error;
  const [words, mend] = errnoWords[code] ?? ["the system refuses", "Look at the detail."];
  return environment(`${what}: ${words} (${code}).`, mend, String(error));
}
