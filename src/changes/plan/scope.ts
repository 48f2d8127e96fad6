import type { RepoPath } from "../../contracts/index.ts";

/** What a plan may write, beyond what the reply's paths already allow. */
export interface WriteScope {
  /** Paths and folders that the user named: protected ones among them may be written. */
  readonly named: ReadonlySet<string>;
  /** Hook folders of this repository, relative to its root (`core.hooksPath`). */
  readonly hookFolders?: readonly string[];
  /** Paths that the pack marks `(new)`: where one exists by now, it may only be edited. */
  readonly newPaths: ReadonlySet<RepoPath>;
  /** Why a path may be read but not written (tests, runner configuration); undefined: it may. */
  readOnly(path: RepoPath): string | undefined;
  /** SHA-256 of files as the model saw them; one that differs now is a `conflict`. */
  readonly seen?: ReadonlyMap<RepoPath, string>;
}
