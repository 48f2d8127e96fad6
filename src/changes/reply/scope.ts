import { parseRepoPath, type RepoPath } from "../../contracts/index.ts";
import { checkWritePath } from "../paths.ts";

/** What a reply may speak of. */
export interface ReplyScope {
  /** The pack's files; `new` ones do not exist yet. */
  readonly paths: ReadonlyMap<RepoPath, "existing" | "new">;
  /** Absolute path of the repository, in the form the model saw it (POSIX or Windows). */
  readonly root: string;
  /** The tag that the prompt asked for. */
  readonly tag?: string;
  /** A file of the repository outside the pack: touching it is `needs_file`. */
  isTracked(path: RepoPath): boolean;
  /** May this path be created although the pack does not list it (new test files)? */
  mayCreate(path: RepoPath): boolean;
}

/** What a path as written stands for. Only `listed` and `creatable` ones may be written. */
export type ResolvedPath =
  | { readonly kind: "listed" | "creatable"; readonly path: RepoPath }
  | { readonly kind: "tracked"; readonly path: RepoPath }
  | { readonly kind: "outside"; readonly text: string };

/**
 * Holds a path as a model wrote it against the scope (rule 1 of the reply format). Decoration,
 * `./`, `\` and an absolute form inside the repository are cleaned; nothing is guessed.
 */
export function resolvePath(written: string, scope: ReplyScope): ResolvedPath {
  if (written.length > maxPathLength) {
    return { kind: "outside", text: `${written.slice(0, 100)}…` };
  }
  const listed = listedPath(written, scope);
  if (listed !== undefined) return { kind: "listed", path: listed };
  const text = stripDecoration(written);
  const parsed = parseRepoPath(withoutRoot(toPosix(text), scope.root));
  if (!parsed.ok) return { kind: "outside", text };
  const { path } = parsed;
  if (!checkWritePath(path, new Set()).ok) return { kind: "outside", text: path };
  if (scope.isTracked(path)) return { kind: "tracked", path };
  if (scope.mayCreate(path)) return { kind: "creatable", path };
  return { kind: "outside", text: path };
}

const maxPathLength = 4_096;

/** The path of the pack that a text names after cleaning, if it names one. */
export function listedPath(written: string, scope: ReplyScope): RepoPath | undefined {
  if (written.length > maxPathLength) return undefined;
  const text = stripDecoration(written);
  return (
    asListed(written.trim(), scope) ??
    asListed(text, scope) ??
    asListed(withoutRoot(toPosix(text), scope.root), scope)
  );
}

/** Keys of the scope are paths already; a text that equals one is that path. */
function asListed(text: string, scope: ReplyScope): RepoPath | undefined {
  return scope.paths.has(text as RepoPath) ? (text as RepoPath) : undefined;
}

const quotePairs = new Set(["``", "**", '""', "''", "“”", "‘’", "<>"]);

/** Takes blanks, bold, backticks and quotes off both ends, as long as they stand in pairs. */
export function stripDecoration(written: string): string {
  let text = written.trim();
  while (text.length > 1 && quotePairs.has(text.charAt(0) + text.charAt(text.length - 1))) {
    text = text.slice(1, -1).trim();
  }
  return text;
}

function toPosix(text: string): string {
  let path = text.replaceAll("\\", "/");
  while (path.startsWith("./")) path = path.slice(2);
  return path;
}

/** The path below `root`; unchanged when it does not lie there. Drive letters ignore case. */
function withoutRoot(path: string, root: string): string {
  const folder = `${toPosix(root).replace(/\/+$/, "")}/`;
  if (folder === "/" || path.length <= folder.length) return path;
  const head = path.slice(0, folder.length);
  const isDrive = /^[A-Za-z]:\//.test(folder);
  const same = isDrive ? head.toLowerCase() === folder.toLowerCase() : head === folder;
  return same ? path.slice(folder.length) : path;
}
