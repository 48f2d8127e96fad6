/** The files of the repository: paths relative to its root, `/` between segments. */
export type RepositoryFiles = readonly string[] | ReadonlySet<string>;

/** Whether a path names one of `files`; nothing exists where nobody says what does. */
export function existsIn(files: RepositoryFiles = []): (path: string) => boolean {
  const set = files instanceof Set ? files : new Set(files);
  return (path) => set.has(path);
}
