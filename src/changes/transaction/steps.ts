import type { ChangePlan, FileOperation, RepoPath } from "../../contracts/index.ts";

/** What a step leaves at its path. `like`: the file whose permission bits and owner it takes. */
export interface NewContent {
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly like?: RepoPath;
}

/**
 * One path going from one state to another; absent `before` or `after` means that no file stands
 * there. A rename is two steps. Everything a transaction does is a list of these.
 */
export interface Step {
  readonly path: RepoPath;
  /** Hash of the bytes the plan was made against. */
  readonly before?: string;
  readonly after?: NewContent;
}

/**
 * The steps of a plan, one a path: what one operation takes away and another puts back (renames
 * in a row, a new file where one was moved from) becomes one step.
 * @throws RangeError when two operations take or fill one path: the planner's bug.
 */
export function toSteps(plan: ChangePlan): readonly Step[] {
  const steps = new Map<RepoPath, Step>();
  for (const step of plan.operations.flatMap(stepsOf)) {
    const other = steps.get(step.path);
    if (other === undefined) steps.set(step.path, step);
    else steps.set(step.path, merged(other, step));
  }
  return [...steps.values()];
}

function merged(one: Step, other: Step): Step {
  const taken = one.before !== undefined && other.before !== undefined;
  const filled = one.after !== undefined && other.after !== undefined;
  if (taken || filled) throw new RangeError(`The plan changes ${one.path} twice.`);
  return { ...one, ...other };
}

function stepsOf(operation: FileOperation): readonly Step[] {
  const { kind, path } = operation;
  if (kind === "create") {
    return [{ path, after: { bytes: operation.after, mode: operation.mode } }];
  }
  const { hash, mode } = operation.before;
  if (kind === "delete") return [{ path, before: hash }];
  const after: NewContent = { bytes: operation.after, mode, like: path };
  if (kind === "rename")
    return [
      { path, before: hash },
      { path: operation.to, after },
    ];
  return [{ path, before: hash, after }];
}

/** Folder and name of a path: `src/a.js` → `[["src"], "a.js"]`. */
export function splitPath(path: RepoPath): { folders: readonly string[]; name: string } {
  const segments = path.split("/");
  return { folders: segments.slice(0, -1), name: segments.at(-1) ?? "" };
}
