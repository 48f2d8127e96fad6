/**
 * A path inside the repository: relative, `/` between segments, no empty, `.` or `..` segment.
 * The brand says that `parseRepoPath` has seen it; whether it may be read or written, and what
 * it resolves to on disk, is decided where files are opened.
 */
export type RepoPath = string & { readonly __brand: "RepoPath" };

export type RepoPathResult =
  | { readonly ok: true; readonly path: RepoPath }
  | { readonly ok: false; readonly reason: string };

/**
 * The one place that makes a `RepoPath`. Takes the text as written, changes nothing in it.
 * Refuses: empty, NUL or line breaks, absolute, `~`, drive letters, `\`, `file:`, and any
 * empty, `.` or `..` segment.
 */
export function parseRepoPath(text: string): RepoPathResult {
  const refuse = (reason: string): RepoPathResult => ({ ok: false, reason });
  if (text === "") return refuse("the path is empty");
  if (/[\0\r\n]/.test(text)) return refuse("the path holds a NUL or a line break");
  if (text.startsWith("/") || text.startsWith("~")) return refuse("the path is not relative");
  if (/^[A-Za-z]:[\\/]/.test(text)) return refuse("the path starts with a drive");
  if (text.includes("\\")) return refuse("the path holds a backslash");
  if (/^file:/i.test(text)) return refuse("the path is a URL");
  const segments = text.split("/");
  if (segments.includes("..")) return refuse("the path leaves its folder with ..");
  if (segments.some((segment) => segment === "" || segment === ".")) {
    return refuse("the path has an empty or . segment");
  }
  return { ok: true, path: text as RepoPath };
}

/**
 * `parseRepoPath` for paths that are known to be sound (from git, from a plan).
 * @throws RangeError when they are not: that is a bug of the caller.
 */
export function repoPath(text: string): RepoPath {
  const parsed = parseRepoPath(text);
  if (!parsed.ok) throw new RangeError(`${JSON.stringify(text)}: ${parsed.reason}`);
  return parsed.path;
}
