import type { RepoPath, SurveyResult } from "../contracts/index.ts";
import type { Git } from "../lib/git.ts";
import { isSecretFile } from "../lib/redaction.ts";
import { searchContents } from "./contents.ts";
import { excerptsOf } from "./excerpts.ts";
import { listByWalking, listWithGit } from "./file-list.ts";
import { MentionResolver } from "./frames.ts";
import { commitsOf, readLog } from "./history.ts";
import { summarizeLeftOut, type LeftOut } from "./left-out.ts";
import { queryOf, type Query } from "./query.ts";
import { rank } from "./ranking.ts";
import { RepositoryReader } from "./reading.ts";
import { repositoryRules } from "./rules.ts";
import type { ReadText } from "./signals/corpus.ts";
import { pathScores } from "./signals/paths.ts";
import { TextsRead } from "./texts-read.ts";
import { unreadBecause } from "./unread.ts";

/** What a survey may take. */
export interface SurveyLimits {
  readonly maxRanked: number;
  /** Characters of all excerpts. */
  readonly maxExcerptChars: number;
  /** Characters of all rules, and of one file of rules. */
  readonly maxRuleChars: number;
  readonly maxRuleFileChars: number;
  /** Larger files are not read. */
  readonly maxFileBytes: number;
  /** Files whose contents are read; the likeliest by their paths first. */
  readonly maxFilesRead: number;
  /** Files of a folder without git. */
  readonly maxFilesWalked: number;
  readonly maxLeftOut: number;
}

const defaultSurveyLimits: SurveyLimits = {
  maxRanked: 40,
  maxExcerptChars: 24_000,
  maxRuleChars: 16_000,
  maxRuleFileChars: 8_000,
  maxFileBytes: 256 * 1024,
  maxFilesRead: 250_000,
  maxFilesWalked: 50_000,
  maxLeftOut: 60,
};

export interface SurveyRequest {
  /** Absolute, links resolved: the git top level, or the folder where there is no git. */
  readonly root: string;
  readonly git?: Git | undefined;
  readonly task: string;
  /** Output of the red baseline, where it is known already. */
  readonly failingOutput?: string | undefined;
  readonly limits?: Partial<SurveyLimits>;
  /**
   * `write` keeps what was learned of the contents in `.kit/cache`; by default what is there is
   * used and nothing is written.
   */
  readonly cache?: "read" | "write";
  /** Told how long each stage took, in milliseconds. */
  readonly onStage?: (stage: SurveyStage, tookMs: number) => void;
}

export type SurveyStage = "files" | "contents" | "history" | "ranking" | "excerpts";

/**
 * What the repository holds as far as the task goes: files, ranking, excerpts, rules, and what
 * was left out. Reads only, follows no link, reads no secret file; the same tree, task and
 * output give the same result.
 * @throws GitError when git cannot list the files.
 */
export async function surveyRepository(request: SurveyRequest): Promise<SurveyResult> {
  const { root, git, task } = request;
  const limits = { ...defaultSurveyLimits, ...request.limits };
  let started = performance.now();
  const ended = (stage: SurveyStage): void => {
    const now = performance.now();
    request.onStage?.(stage, now - started);
    started = now;
  };
  const log = git === undefined ? undefined : readLog(git);
  const list =
    git === undefined ? await listByWalking(root, limits.maxFilesWalked) : await listWithGit(git);
  const leftOut: LeftOut[] = [...list.leftOut];
  const files = list.files.filter((path) => {
    if (!isSecretFile(path)) return true;
    leftOut.push({ path, reason: "secret file" });
    return false;
  });
  const query = queryOf(task, request.failingOutput ?? "", new MentionResolver(root, files));
  const readable = files.filter((path) => {
    const reason = unreadBecause(path);
    if (reason !== undefined) leftOut.push({ path, reason });
    return reason === undefined;
  });
  ended("files");
  const isCached = git !== undefined && files.length >= cachedFrom;
  const contents = await searchContents({
    root,
    files: readable.length > limits.maxFilesRead ? likeliestFirst(readable, query) : readable,
    keys: isCached ? await list.keys() : new Map(),
    stems: [...query.words, ...query.outputWords],
    cache: isCached ? (request.cache ?? "read") : "none",
    limits,
    leftOut,
  });
  ended("contents");
  const reader = new RepositoryReader(root);
  const texts = new TextsRead(reader, contents.words, limits.maxFileBytes);
  const known = new Set(files);
  const commits = log === undefined ? [] : commitsOf(await log, known);
  ended("history");
  const text = (path: RepoPath): ReadText | undefined => texts.of(path);
  const ranked = rank({ files, known, query, contents, commits, text }, limits.maxRanked);
  ended("ranking");
  const excerpts = excerptsOf(ranked, text, query, limits.maxExcerptChars);
  ended("excerpts");
  return {
    files,
    ranked,
    excerpts,
    rules: repositoryRules(known, ranked, reader, {
      maxFileChars: limits.maxRuleFileChars,
      maxChars: limits.maxRuleChars,
    }),
    leftOut: summarizeLeftOut(leftOut, limits.maxLeftOut),
    git: git !== undefined,
  };
}

/** Smaller repositories are read as quickly as a cache of them. */
const cachedFrom = 200;

/** Named and failing files, then by the words of the path, then by depth and path. */
function likeliestFirst(files: readonly RepoPath[], query: Query): readonly RepoPath[] {
  const scores = pathScores(files, query);
  const order = files.map((path) => ({
    path,
    score:
      (query.named.has(path) ? 2 : 0) + (query.frames.has(path) ? 2 : 0) + (scores.get(path) ?? 0),
    depth: path.split("/").length,
  }));
  order.sort((a, b) => b.score - a.score || a.depth - b.depth || (a.path < b.path ? -1 : 1));
  return order.map(({ path }) => path);
}
