import { repoPath, type RepoPath } from "../../../src/contracts/index.ts";
import type { ReplyScope, WriteScope } from "../../../src/changes/index.ts";

/** What a test's pack allows; `files` exist, `create` may be made, `tracked` lie outside the pack. */
export interface ScopeWish {
  readonly files?: readonly string[];
  readonly create?: readonly string[];
  readonly tracked?: readonly string[];
  readonly tests?: readonly string[];
  readonly root?: string;
  readonly tag?: string;
}

/** The scope of a reply. */
export function replyScope(wish: ScopeWish): ReplyScope {
  const paths = new Map<RepoPath, "existing" | "new">();
  for (const path of wish.files ?? []) paths.set(repoPath(path), "existing");
  for (const path of wish.create ?? []) paths.set(repoPath(path), "new");
  return {
    paths,
    root: wish.root ?? "/home/someone/project",
    ...(wish.tag === undefined ? {} : { tag: wish.tag }),
    isTracked: (path) => (wish.tracked ?? []).includes(path),
    mayCreate: (path) => (wish.tests ?? []).includes(path),
  };
}

/** The scope of a plan in which nothing is read-only. */
export function writeScope(wish: Partial<WriteScope> = {}): WriteScope {
  return { named: new Set(), newPaths: new Set(), readOnly: () => undefined, ...wish };
}
