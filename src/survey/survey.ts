import type { RepoPath, SurveyResult } from "../contracts/index.ts";
import type { Git } from "../lib/git.ts";
import { searchContents } from "./contents.ts";
import { excerptsOf } from "./excerpts.ts";
import { listByWalking, listWithGit } from "./file-list.ts";
import { type FileNumber, FileTable } from "./file-table.ts";
import { MentionResolver } from "./frames.ts";
import { commitsOf, readLog } from "./history.ts";
import { summarizeLeftOut, type LeftOut } from "./left-out.ts";
import { packagesOf } from "./packages.ts";
import { queryOf, type Query } from "./query.ts";
import { rank } from "./ranking.ts";
import { RepositoryReader } from "./reading.ts";
import { repositoryRules } from "./rules.ts";
import type { ReadText } from "./signals/corpus.ts";
import { pathScores } from "./signals/paths.ts";
import { unknownKey } from "./terms/blob-key.ts";
import { KnownContents } from "./terms/known.ts";
import { TextsRead } from "./texts-read.ts";
import { secretFile, UnreadPaths } from "./unread-paths.ts";

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
  maxFileBytes: 1024 * 1024,
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
  /** Test commands that the manifest of a folder, relative to the root, gives by convention. */
  readonly testCommandsOf?: (folder: string) => Promise<readonly string[]>;
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
  let known: KnownContents | undefined;
  const open = (): KnownContents => (known ??= new KnownContents(root));
  const list =
    git === undefined
      ? await listByWalking(root, limits.maxFilesWalked)
      : await listWithGit(git, open).catch((error: unknown) => {
          known?.close();
          throw error;
        });
  const leftOut: LeftOut[] = [...list.leftOut];
  const listed = splitByPath(list.files, leftOut);
  const isCached = git !== undefined && listed.files.size >= cachedFrom;
  const blobKeys = isCached ? await list.keys() : new Float64Array(list.files.length);
  const { files, readable } = listed;
  const keys = listed.places.map((place) => blobKeys[place] ?? unknownKey);
  const query = queryOf(task, request.failingOutput ?? "", new MentionResolver(root, files.paths));
  ended("files");
  const contents = await searchContents({
    root,
    paths: files.paths,
    files:
      readable.length > limits.maxFilesRead ? likeliestFirst(files, readable, query) : readable,
    keys,
    stems: [...query.words, ...query.outputWords],
    known: isCached ? open() : undefined,
    isKept: isCached && request.cache === "write",
    limits,
    leftOut,
  }).finally(() => known?.close());
  ended("contents");
  const reader = new RepositoryReader(root);
  const isText = (path: RepoPath): boolean =>
    (contents.words[files.numberOf(path) ?? -1] ?? -1) >= 0;
  const texts = new TextsRead(reader, isText, limits.maxFileBytes);
  const commits = log === undefined ? [] : commitsOf(await log, files);
  ended("history");
  const text = (path: RepoPath): ReadText | undefined => texts.of(path);
  const ranked = rank({ files, query, contents, commits, text }, limits.maxRanked);
  ended("ranking");
  const excerpts = excerptsOf(ranked, text, query, limits.maxExcerptChars);
  ended("excerpts");
  const packages = await Promise.all(
    packagesOf(files, ranked, reader).map(async (each) => ({
      ...each,
      testCommands: (await request.testCommandsOf?.(each.folder)) ?? [],
    })),
  );
  return {
    files: files.paths,
    ranked,
    excerpts,
    packages,
    rules: repositoryRules(files, ranked, reader, {
      maxFileChars: limits.maxRuleFileChars,
      maxChars: limits.maxRuleChars,
    }),
    leftOut: summarizeLeftOut(leftOut, limits.maxLeftOut),
    git: git !== undefined,
  };
}

/** Smaller repositories are read as quickly as a cache of them. */
const cachedFrom = 200;

interface ListedFiles {
  /** Secret files are not among them. */
  readonly files: FileTable;
  /** Where each stood in the list. */
  readonly places: Float64Array;
  /** Those whose contents may be read. */
  readonly readable: readonly FileNumber[];
}

/** What the paths alone say. */
function splitByPath(listed: readonly RepoPath[], leftOut: LeftOut[]): ListedFiles {
  const unread = new UnreadPaths();
  const paths: RepoPath[] = [];
  const places: number[] = [];
  const readable: FileNumber[] = [];
  for (const [place, path] of listed.entries()) {
    const reason = unread.reasonOf(path);
    if (reason !== undefined) leftOut.push({ path, reason });
    if (reason === secretFile) continue;
    if (reason === undefined) readable.push(paths.length);
    places.push(place);
    paths.push(path);
  }
  return { files: new FileTable(paths), places: Float64Array.from(places), readable };
}

/** Named and failing files, then by the words of the path, then by depth and path. */
function likeliestFirst(
  { paths }: FileTable,
  files: readonly FileNumber[],
  query: Query,
): readonly FileNumber[] {
  const scores = pathScores(paths, query);
  const order = files.map((file) => {
    const path = paths[file] as RepoPath;
    const isPointedTo = query.named.has(path) || query.frames.has(path);
    const score = (isPointedTo ? 2 : 0) + (scores[file] ?? 0);
    return { file, score, depth: path.split("/").length };
  });
  order.sort((a, b) => b.score - a.score || a.depth - b.depth || a.file - b.file);
  return order.map(({ file }) => file);
}
