import { execFileSync } from "node:child_process";

/** One commit of a history as a task whose right answer is known. */
export interface Case {
  readonly commit: string;
  readonly parent: string;
  readonly subject: string;
  /** Source files it touched that existed before. */
  readonly wanted: readonly string[];
}

/** Files by which a commit counts; tests are sources too. */
const sources =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|pyi|rb|go|rs|java|kt|kts|scala|groovy|c|h|cc|hh|cpp|hpp|cxx|m|mm|cs|fs|vb|php|swift|dart|ex|exs|erl|hs|ml|clj|cljs|lua|pl|pm|r|jl|sh|bash|zsh|sql|zig|nim|el|css|scss|less)$/i;

const maxSources = 5;
const fewestWords = 4;

/** The last `max` commits that make a case, newest first. */
export function casesOf(root: string, max: number): readonly Case[] {
  const log = runGit(
    root,
    "log",
    "--min-parents=1",
    "--max-parents=1",
    "--no-renames",
    "--name-status",
    "--format=%x01%H%x00%P%x00%s",
    `--max-count=${max * 30}`,
  );
  const cases: Case[] = [];
  for (const text of log.split("\u0001").slice(1)) {
    const [head = "", ...lines] = text.split("\n");
    const [commit = "", parent = "", subject = ""] = head.split("\0");
    const touched = lines.flatMap((line) => {
      const [status = "", path = ""] = line.split("\t");
      return sources.test(path) ? [{ status, path }] : [];
    });
    const wanted = touched.filter(({ status }) => status !== "A").map(({ path }) => path);
    const words = subject.split(/\s+/).filter((word) => /\p{L}/u.test(word));
    if (wanted.length === 0 || touched.length > maxSources || words.length < fewestWords) continue;
    cases.push({ commit, parent, subject, wanted });
    if (cases.length >= max) break;
  }
  return cases;
}

export function runGit(cwd: string, ...args: string[]): string {
  return execFileSync("git", ["-c", "core.quotePath=false", ...args], {
    cwd,
    encoding: "utf8",
    maxBuffer: 1024 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
  });
}
