import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openGit } from "../src/lib/git.ts";
import { estimateTokens } from "../src/lib/text.ts";
import { surveyRepository } from "../src/survey/index.ts";
import { rankByGrep, rankByWords, reachable } from "./bench-survey/baselines.ts";
import { type Case, casesOf, runGit } from "./bench-survey/cases.ts";
import { measureSynthetic } from "./bench-survey/synthetic.ts";

// Recall of the survey on real histories: `npm run bench:survey -- REPO… [--commits N] [--misses]`,
// or its time in a made tree: `npm run bench:survey -- --synthetic 200000 [--at FOLDER]`.
// For each of the last N (100) commits of at most 5 source files: the tree is its parent, the task
// its subject line, wanted are the source files it touched that existed. Beside the survey stand a
// plain ranking by `git grep` and a plain BM25 over paths and contents, on the same trees.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: "string", default: "100" },
    misses: { type: "boolean", default: false },
    synthetic: { type: "string" },
    at: { type: "string" },
  },
});
const commits = Number(values.commits);
const synthetic = values.synthetic === undefined ? undefined : Number(values.synthetic);
const isAsked = synthetic === undefined ? positionals.length > 0 : synthetic >= 1;
if (!isAsked || !Number.isInteger(commits) || commits < 1) {
  console.error("usage: npm run bench:survey -- REPO… [--commits N] [--misses]");
  console.error("       npm run bench:survey -- --synthetic FILES [--at FOLDER]");
  process.exit(2);
}
if (synthetic !== undefined) {
  const folder = values.at ?? mkdtempSync(join(tmpdir(), "kit-bench-files-"));
  await measureSynthetic(synthetic, realpathSync(folder));
  if (values.at === undefined) rmSync(folder, { recursive: true });
}

const cuts = [5, 10, 20];
const budgetTokens = 6_000;

/** Recall of one ranking, summed over cases. */
interface Row {
  readonly name: string;
  readonly found: Map<string, number>;
  readonly tookMs: number[];
}

for (const repository of positionals) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "kit-bench-survey-")));
  try {
    await measure(resolve(repository), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Works in a clone: the repository itself stays as it is. */
async function measure(repository: string, folder: string): Promise<void> {
  const root = join(folder, "clone");
  runGit(folder, "clone", "--quiet", "--shared", "--no-checkout", repository, root);
  const cases = casesOf(root, commits);
  const rows = ["kit survey", "git grep", "plain BM25"].map((name): Row => ({
    name,
    found: new Map(),
    tookMs: [],
  }));
  const [kit, grep, words] = rows;
  if (kit === undefined || grep === undefined || words === undefined) return;
  let files = 0;
  let withinReach = 0;
  for (const each of cases) {
    const { parent, subject, wanted } = each;
    runGit(root, "checkout", "--quiet", "--force", "--detach", parent);
    const git = await openGit(root);
    const started = performance.now();
    const survey = await surveyRepository({ root, git, task: subject, cache: "write" });
    kit.tookMs.push(performance.now() - started);
    files = Math.max(files, survey.files.length);
    const ranked = survey.ranked.map(({ path }) => path);
    count(kit, each, ranked, shownWithinBudget(survey.excerpts));
    const grepStarted = performance.now();
    const byGrep = rankByGrep(root, subject);
    grep.tookMs.push(performance.now() - grepStarted);
    count(grep, each, byGrep, wholeWithinBudget(root, byGrep));
    const wordsStarted = performance.now();
    const byWords = rankByWords(root, subject);
    words.tookMs.push(performance.now() - wordsStarted);
    count(words, each, byWords, wholeWithinBudget(root, byWords));
    withinReach += reachable(root, subject, wanted);
    if (values.misses) printMisses(each, ranked);
  }
  print(basename(repository), files, cases, withinReach, rows);
}

function count(
  { found }: Row,
  { wanted }: Case,
  ranked: readonly string[],
  shown: ReadonlySet<string>,
): void {
  const add = (key: string, has: (path: string) => boolean): void => {
    found.set(key, (found.get(key) ?? 0) + wanted.filter(has).length);
  };
  for (const cut of cuts) {
    const best = new Set(ranked.slice(0, cut));
    add(`@${cut}`, (path) => best.has(path));
  }
  add(`@${budgetTokens}t`, (path) => shown.has(path));
}

/** Files of the excerpts, best first, as far as the budget goes. */
function shownWithinBudget(
  excerpts: readonly { readonly path: string; readonly text: string }[],
): ReadonlySet<string> {
  const shown = new Set<string>();
  let tokens = 0;
  for (const { path, text } of excerpts) {
    tokens += estimateTokens(text);
    if (tokens > budgetTokens) break;
    shown.add(path);
  }
  return shown;
}

/** What one can show who has no excerpts: whole files, best first. */
function wholeWithinBudget(root: string, ranked: readonly string[]): ReadonlySet<string> {
  const shown = new Set<string>();
  let tokens = 0;
  for (const path of ranked.slice(0, 40)) {
    tokens += estimateTokens(readFileSync(join(root, path), "utf8"));
    if (tokens > budgetTokens) break;
    shown.add(path);
  }
  return shown;
}

function printMisses({ subject, wanted }: Case, ranked: readonly string[]): void {
  const missed = wanted.filter((path) => !ranked.slice(0, 20).includes(path));
  if (missed.length === 0) return;
  console.log(
    `- ${subject}\n    missed ${missed.join(" ")}\n    first  ${ranked.slice(0, 5).join(" ")}`,
  );
}

function print(
  name: string,
  files: number,
  cases: readonly Case[],
  withinReach: number,
  rows: readonly Row[],
): void {
  const wanted = cases.reduce((sum, each) => sum + each.wanted.length, 0);
  const share = (found: number): string => `${((100 * found) / Math.max(1, wanted)).toFixed(1)} %`;
  console.log(
    `${name}: ${cases.length} commits, ${wanted} files wanted, up to ${files} files; ceiling ${share(withinReach)}`,
  );
  const keys = [...cuts.map((cut) => `@${cut}`), `@${budgetTokens}t`];
  console.log(
    `  ${"".padEnd(12)}${keys.map((key) => key.padStart(9)).join("")}   ms first / median`,
  );
  for (const { name: ranking, found, tookMs } of rows) {
    const cells = keys.map((key) => share(found.get(key) ?? 0).padStart(9)).join("");
    const median = tookMs.toSorted((a, b) => a - b)[tookMs.length >> 1] ?? 0;
    console.log(
      `  ${ranking.padEnd(12)}${cells}   ${(tookMs[0] ?? 0).toFixed(0)} / ${median.toFixed(0)}`,
    );
  }
}
