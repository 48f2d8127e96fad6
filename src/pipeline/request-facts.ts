import type { RunRequest } from "./ports.ts";

/** What a run was asked, as its record keeps it: all of a request that is no effect. */
export type RequestFacts = Pick<
  RunRequest,
  | "task"
  | "agents"
  | "routes"
  | "ladders"
  | "review"
  | "pack"
  | "memory"
  | "testCommands"
  | "limits"
  | "options"
> & {
  /** Absolute: the tree that the run worked in, a worktree of its own included. */
  readonly root: string;
  /** The change was to be brought home. */
  readonly lands: boolean;
};

export function factsOf(request: RunRequest): RequestFacts {
  const { task, agents, routes, ladders, review, pack, memory, testCommands } = request;
  const { limits, options, workspace, land } = request;
  return {
    root: workspace.root,
    lands: land !== undefined,
    task,
    agents,
    routes,
    testCommands,
    limits,
    options,
    ...(ladders && { ladders }),
    ...(review && { review }),
    ...(pack && { pack }),
    ...(memory && { memory }),
  };
}
