import { wordsOf } from "../lib/words.ts";
import { mentionsIn, type Mention, type MentionResolver } from "./frames.ts";

/** What is looked for. */
export interface Query {
  /** Words of the task, stems, lower case. */
  readonly words: readonly string[];
  /** Words of the failing output that the task does not have. */
  readonly outputWords: readonly string[];
  /** Identifiers as written in the task: `formatDate`, `add`. */
  readonly identifiers: readonly string[];
  /** Files that the task names. */
  readonly named: ReadonlySet<string>;
  /** File → lines that the failing output names; in the order of the output. */
  readonly frames: ReadonlyMap<string, readonly number[]>;
}

/** Words of an output that are looked for; the first ones stand where it failed. */
const maxOutputWords = 24;
const maxWords = 40;

/** Makes a query of the task's text and, where there is one, the output of red tests. */
export function queryOf(task: string, failingOutput: string, resolver: MentionResolver): Query {
  const words = wordsOf(task).slice(0, maxWords);
  const known = new Set(words);
  const output = failingOutput.slice(0, 64_000);
  const outputWords = wordsOf(failingWords(output)).filter((word) => !known.has(word));
  const frames = new Map<string, number[]>();
  for (const mention of mentionsIn(output)) addFrame(frames, mention, resolver);
  const named = new Set<string>();
  for (const { path } of mentionsIn(task)) {
    const file = resolver.resolve(path);
    if (file !== undefined) named.add(file);
  }
  return {
    words,
    outputWords: outputWords.slice(0, maxOutputWords),
    identifiers: identifiersIn(task),
    named,
    frames,
  };
}

function addFrame(
  frames: Map<string, number[]>,
  { path, line }: Mention,
  resolver: MentionResolver,
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
