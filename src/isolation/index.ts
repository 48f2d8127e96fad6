/**
 * Where does an isolated run work? A worktree outside the repository that holds the user's files
 * as they are, and commits of single paths. It leaves to others: what the run does there
 * (`pipeline`), and applying a change in the user's tree (`changes`).
 */
export { commitPaths, finishCommit, requireCommittable, requireCommitted } from "./commit.ts";
export { type Missing, openWorktree, type Worktree, type WorktreeRequest } from "./worktree.ts";
export { findOrphans, removeOrphans, worktreeLock } from "./orphans.ts";
