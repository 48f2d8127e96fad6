/** The files of the repository: paths relative to its root, `/` between segments. */
export type RepositoryFiles = readonly string[] | ReadonlySet<string>;

/** Whether a path names one of `files`; nothing exists where nobody says what does. */
export function existsIn(files: RepositoryFiles = []): (path: string) => boolean {
  const set = files instanceof Set ? files : new Set(files);
  return (path) => set.has(path);
}

/** Whether a path is a folder that holds one of `files`. */
export function isFolderIn(files: RepositoryFiles): (path: string) => boolean {
  let folders: Set<string> | undefined;
  return (path) => {
    folders ??= new Set([...files].flatMap(parentsOf));
    return folders.has(path);
  };
}

function parentsOf(path: string): string[] {
  const segments = path.split("/").slice(0, -1);
  return segments.map((_segment, index) => segments.slice(0, index + 1).join("/"));
}
