import { setImmediate } from "node:timers/promises";
import type { RepoPath, SurveyResult } from "../contracts/index.ts";
import type { Git } from "../lib/git.ts";
import { isSecretFile } from "../lib/redaction.ts";
import { decodeUtf8 } from "../lib/text.ts";
import { excerptsOf } from "./excerpts.ts";
import { listByWalking, listWithGit } from "./file-list.ts";
import { MentionResolver } from "./frames.ts";
import { summarizeLeftOut, type LeftOut } from "./left-out.ts";
import { queryOf, type Query } from "./query.ts";
import { pathScores, rank, type ReadText } from "./ranking.ts";
import { RepositoryReader } from "./reading.ts";
import { repositoryRules } from "./rules.ts";
import { unreadableContent, unreadBecause } from "./unread.ts";

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
  /** Files and bytes whose contents are read; the likeliest by their paths first. */
  readonly maxFilesRead: number;
  readonly maxBytesRead: number;
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
  maxFilesRead: 2_000,
  maxBytesRead: 16 * 1024 * 1024,
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
}

/**
 * What the repository holds as far as the task goes: files, ranking, excerpts, rules, and what
 * was left out. Reads only, follows no link, reads no secret file; the same tree, task and
 * output give the same result.
 * @throws GitError when git cannot list the files.
 */
export async function surveyRepository(request: SurveyRequest): Promise<SurveyResult> {
  const { root, git, task } = request;
  const limits = { ...defaultSurveyLimits, ...request.limits };
  const list =
    git === undefined ? await listByWalking(root, limits.maxFilesWalked) : await listWithGit(git);
  const leftOut: LeftOut[] = [...list.leftOut];
  const files = list.files.filter((path) => {
    if (!isSecretFile(path)) return true;
    leftOut.push({ path, reason: "secret file" });
    return false;
  });
  const query = queryOf(task, request.failingOutput ?? "", new MentionResolver(root, files));
  const reader = new RepositoryReader(root);
  const texts = await readTexts(files, query, reader, limits, leftOut);
  const ranked = rank({ files, texts, query }, limits.maxRanked);
  return {
    files,
    ranked,
    excerpts: excerptsOf(ranked, texts, query, limits.maxExcerptChars),
    rules: repositoryRules(files, ranked, reader, {
      maxFileChars: limits.maxRuleFileChars,
      maxChars: limits.maxRuleChars,
    }),
    leftOut: summarizeLeftOut(leftOut, limits.maxLeftOut),
    git: git !== undefined,
  };
}

/** Contents of the likeliest files, within the limits; what is not text is noted in `leftOut`. */
async function readTexts(
  files: readonly RepoPath[],
  query: Query,
  reader: RepositoryReader,
  limits: SurveyLimits,
  leftOut: LeftOut[],
): Promise<ReadonlyMap<string, ReadText>> {
  const texts = new Map<string, ReadText>();
  let bytes = 0;
  const unread: RepoPath[] = [];
  for (const [index, path] of likeliestFirst(files, query).entries()) {
    // The baseline's process runs meanwhile: its output must be taken care of.
    if (index % 100 === 99) await setImmediate();
    const reason = unreadBecause(path);
    if (reason !== undefined) {
      leftOut.push({ path, reason });
      continue;
    }
    if (texts.size >= limits.maxFilesRead || bytes >= limits.maxBytesRead) {
      unread.push(path);
      continue;
    }
    const read = reader.read(path, limits.maxFileBytes);
    const problem = read.ok ? unreadableContent(read.bytes) : read.reason;
    const text = read.ok && problem === undefined ? decodeUtf8(read.bytes) : undefined;
    if (text === undefined) leftOut.push({ path, reason: problem ?? "not UTF-8" });
    else {
      bytes += text.length;
      texts.set(path, { text, lower: text.toLowerCase() });
    }
  }
  const [first] = unread;
  if (first !== undefined) {
    const others = unread.length - 1;
    leftOut.push({
      path: first,
      reason: `not read, nor ${others} others: the repository is large`,
    });
  }
  return texts;
}

/** Named and failing files, then by the words of the path, then by depth and path. */
function likeliestFirst(files: readonly RepoPath[], query: Query): readonly RepoPath[] {
  const scores = pathScores({ files, query });
  const order = files.map((path) => ({
    path,
    score:
      (query.named.has(path) ? 2 : 0) + (query.frames.has(path) ? 2 : 0) + (scores.get(path) ?? 0),
    depth: path.split("/").length,
  }));
  order.sort((a, b) => b.score - a.score || a.depth - b.depth || (a.path < b.path ? -1 : 1));
  return order.map(({ path }) => path);
}
