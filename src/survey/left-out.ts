import type { RepoPath, SurveyResult } from "../contracts/index.ts";

export type LeftOut = SurveyResult["leftOut"][number];

/** From so many files of one folder on, one line speaks for all of them. */
const groupFrom = 4;

/** Reasons that a person wants to see before any other. */
const first = ["secret file", "submodule", "nested repository"];

/**
 * What was left out as people read it: many files of one folder and reason become one entry for
 * the folder, secrets and submodules first, at most `max` entries and one that counts the rest.
 */
export function summarizeLeftOut(entries: readonly LeftOut[], max: number): readonly LeftOut[] {
  const groups = new Map<string, LeftOut[]>();
  for (const entry of entries) {
    const key = `${entry.reason}\0${folderOf(entry)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  const grouped = [...groups.values()].flatMap((group) => {
    const [entry] = group;
    if (entry === undefined || group.length < groupFrom || folderOf(entry) === "") return group;
    return [
      { path: folderOf(entry) as RepoPath, reason: `${entry.reason} (${group.length} files)` },
    ];
  });
  const rank = ({ reason }: LeftOut): number => {
    const at = first.findIndex((each) => reason.startsWith(each));
    return at === -1 ? first.length : at;
  };
  const sorted = grouped.sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
  if (sorted.length <= max) return sorted;
  const rest = sorted.length - max;
  const [next] = sorted.slice(max);
  return next === undefined
    ? sorted
    : [
        ...sorted.slice(0, max),
        { path: next.path, reason: `${next.reason}; and ${rest - 1} more` },
      ];
}

/** An installed package counts for the folder it is installed in, any other file for its own. */
function folderOf({ path, reason }: LeftOut): string {
  if (reason !== "installed") return path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const segments = path.split("/");
  const at = segments.findIndex((segment) =>
    /^(?:node_modules|\.?venv|site-packages)$/.test(segment),
  );
  return segments.slice(0, Math.max(1, at + 1)).join("/");
}
