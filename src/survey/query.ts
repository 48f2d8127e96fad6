import type { RepoPath } from "../contracts/index.ts";
import { commonWordsOf, wordsOf } from "../lib/words.ts";
import { mentionsIn, type Mention, type MentionResolver } from "./frames.ts";

/** What is looked for. */
export interface Query {
  /** Words of the task, stems, lower case. */
  readonly words: readonly string[];
  /** How much each word of the task counts; what is not in it counts 1. */
  readonly weights: ReadonlyMap<string, number>;
  /** Words of the failing output that the task does not have. */
  readonly outputWords: readonly string[];
  /** Identifiers as written in the task: `formatDate`, `add`. */
  readonly identifiers: readonly string[];
  /** Files that the task names. */
  readonly named: ReadonlySet<RepoPath>;
  /** File → lines that the failing output names; in the order of the output. */
  readonly frames: ReadonlyMap<RepoPath, readonly number[]>;
}

/** Words of an output that are looked for; the first ones stand where it failed. */
const maxOutputWords = 24;
const maxWords = 40;

/** What a word counts that every program holds. */
const commonWeight = 0.3;

/** Verbs that open a subject line and say what is done, not where. */
const verbs =
  /^(?:add|adds|added|allow|avoid|bump|change|check|clean|correct|create|deprecate|disable|drop|enable|ensure|expose|extend|handle|implement|improve|include|introduce|merge|move|prevent|provide|reduce|refactor|release|remove|rename|replace|restore|revert|rework|set|show|simplify|skip|split|support|switch|update|upgrade|write)\b/i;

/** `fix(scope): …`, `net/http: …`: what a subject line names first. */
const prefix = /^\s*(?:(?<kind>\w+)\((?<scope>[^()\n]{1,60})\)!?|(?<area>[\w./@ -]{2,50})):\s/;

/** Kinds of a conventional commit; they say nothing about what a text is about. */
const kinds =
  /^(?:build|chore|ci|docs?|feat(?:ure)?|fix|hotfix|perf|refactor|revert|style|tests?|types?|new|update)$/i;

function weightsOf(task: string, words: readonly string[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const match = prefix.exec(task);
  const { kind = "", scope = "", area = "" } = match?.groups ?? {};
  const isKind = kinds.test(area.trim());
  for (const word of wordsOf(isKind ? scope : `${scope} ${area}`)) weights.set(word, 1.5);
  for (const word of wordsOf(isKind ? area : kind)) weights.set(word, 0.2);
  const rest = task.slice(match?.[0].length ?? 0).trimStart();
  const [verb] = wordsOf(verbs.exec(rest)?.[0] ?? "");
  if (verb !== undefined && words.length > 2 && !weights.has(verb)) weights.set(verb, 0.4);
  return weights;
}

/** Makes a query of the task's text and, where there is one, the output of red tests. */
export function queryOf(
  task: string,
  failingOutput: string,
  resolver: MentionResolver<RepoPath>,
): Query {
  const telling = wordsOf(task);
  const common = commonWordsOf(task).filter((word) => !telling.includes(word));
  const words = [...telling, ...common].slice(0, maxWords);
  const known = new Set(words);
  const output = failingOutput.slice(0, 64_000);
  const outputWords = wordsOf(failingWords(output)).filter((word) => !known.has(word));
  const frames = new Map<RepoPath, number[]>();
  for (const mention of mentionsIn(output)) addFrame(frames, mention, resolver);
  const named = new Set<RepoPath>();
  for (const { path } of mentionsIn(task)) {
    const file = resolver.resolve(path);
    if (file !== undefined) named.add(file);
  }
  return {
    words,
    weights: new Map([
      ...common.map((word) => [word, commonWeight] as const),
      ...weightsOf(task, telling),
    ]),
    outputWords: outputWords.slice(0, maxOutputWords),
    identifiers: identifiersIn(task),
    named,
    frames,
  };
}

function addFrame(
  frames: Map<RepoPath, number[]>,
  { path, line }: Mention,
  resolver: MentionResolver<RepoPath>,
): void {
  const file = resolver.resolve(path);
  if (file === undefined) return;
  const lines = frames.get(file) ?? [];
  if (line !== undefined) lines.push(line);
  frames.set(file, lines);
}

/** Lines of an output that speak of what failed, without its frames and times. */
function failingWords(output: string): string {
  const lines = output.split("\n").filter((line) => !/^\s*at |^\s*[#ℹ] |duration_ms/.test(line));
  return lines.join("\n").replaceAll(/\S*\/\S*/g, " ");
}

/** Names in backticks, with a hump or an underscore, or called: `add()`. */
function identifiersIn(task: string): readonly string[] {
  const found = new Set<string>();
  for (const [name] of task.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
    if (/\p{Ll}\p{Lu}|_|\$/u.test(name)) found.add(name);
  }
  for (const [, name] of task.matchAll(/`([\p{L}_$][\p{L}\p{N}_$]*)(?:\(\))?`/gu)) {
    if (name !== undefined) found.add(name);
  }
  for (const [, name] of task.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*)\(/gu)) {
    if (name !== undefined) found.add(name);
  }
  return [...found];
}
