import type { Sourced } from "../../contracts/index.ts";
import { globPattern, literal } from "./globs.ts";

/** Bounds, both included; an absent one bounds nothing. */
export interface CountRange {
  readonly min?: number;
  readonly max?: number;
}

/** One rule of `classify.yaml`; all conditions it gives must hold. */
export interface TaskRule {
  readonly name: string;
  readonly capability: string;
  readonly keywords?: readonly string[];
  readonly globs?: readonly string[];
  readonly images?: boolean;
  readonly words?: CountRange;
  readonly files?: CountRange;
}

/** What is known of a task before anything is read: its own words, and the paths of a user's pack. */
export interface TaskFacts {
  readonly task: string;
  readonly packFiles: readonly string[];
}

/** The rule that decided, and on what. */
export interface ClassifiedTask {
  readonly capability: string;
  readonly rule: Sourced<TaskRule>;
  /** One short text a condition: `the task says "typo"`. */
  readonly because: readonly string[];
}

/** The first rule that holds, in the order given; `undefined` when none does. */
export function classifyTask(
  rules: readonly Sourced<TaskRule>[],
  facts: TaskFacts,
): ClassifiedTask | undefined {
  const paths = [...new Set([...pathsNamedIn(facts.task), ...facts.packFiles])];
  for (const rule of rules) {
    const because = conditions.map((hold) => hold(rule.value, facts.task, paths));
    const given = because.filter((reason) => reason !== undefined);
    // A rule without any condition would take every task: loading has said so.
    if (given.length === 0 || given.includes(false)) continue;
    const reasons = given.filter((reason) => reason !== false);
    return { capability: rule.value.capability, rule, because: reasons };
  }
  return undefined;
}

/** `undefined`: the rule does not give this condition; `false`: it does not hold. */
type Condition = (
  rule: TaskRule,
  task: string,
  paths: readonly string[],
) => string | false | undefined;

const conditions: readonly Condition[] = [
  ({ keywords }, task) => {
    if (keywords === undefined) return undefined;
    const said = keywords.find((keyword) => keywordPattern(keyword).test(task));
    return said === undefined ? false : `the task says "${said}"`;
  },
  ({ globs }, _task, paths) => {
    if (globs === undefined) return undefined;
    const patterns = globs.map(globPattern);
    const path = paths.find((one) => patterns.some((pattern) => pattern.test(one)));
    return path === undefined ? false : `it names ${path}`;
  },
  ({ images }, task, paths) => {
    if (images === undefined) return undefined;
    const picture = paths.find((path) => isPicture(path)) ?? pictureAddress(task);
    if (images) return picture === undefined ? false : `it names the picture ${picture}`;
    return picture === undefined ? "it names no picture" : false;
  },
  ({ words }, task) =>
    within(words, task.split(/\s+/).filter((word) => word !== "").length, "word"),
  ({ files }, _task, paths) => within(files, paths.length, "path"),
];

function within(
  range: CountRange | undefined,
  count: number,
  noun: string,
): string | false | undefined {
  if (range === undefined) return undefined;
  if (count < (range.min ?? 0) || count > (range.max ?? Number.POSITIVE_INFINITY)) return false;
  return `it has ${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Scripts that put no blanks between words: a keyword may stand anywhere in them. */
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}`;
const wordPart = String.raw`[[\p{L}\p{N}_]--[${unspaced}]]`;

/** A keyword as whole words: `auth` is not found in `author`. Blanks in it fit any blanks. */
function keywordPattern(keyword: string): RegExp {
  const body = keyword
    .trim()
    .split(/\s+/)
    .map((word) => literal(word))
    .join(String.raw`\s+`);
  const edge = new RegExp(wordPart, "v");
  const before = edge.test(keyword.trim().at(0) ?? "") ? `(?<!${wordPart})` : "";
  const after = edge.test(keyword.trim().at(-1) ?? "") ? `(?!${wordPart})` : "";
  return new RegExp(before + body + after, "iv");
}

const pictureEnding = /\.(?:png|jpe?g|gif|webp|bmp|svg|tiff?|heic|avif)$/i;

function isPicture(path: string): boolean {
  return pictureEnding.test(path);
}

function pictureAddress(task: string): string | undefined {
  const addresses = task.match(/\bhttps?:\/\/[^\s"'<>)\]]+/g) ?? [];
  return addresses.find((address) => pictureEnding.test(address.replace(/[?#].*$/, "")));
}

/** Paths in the words of a task: with a `/`, or a name with an ending; line numbers taken off. */
function pathsNamedIn(task: string): string[] {
  return task
    .replaceAll(/\b[a-z]+:\/\/\S+/gi, " ")
    .split(/[\s"'`()[\]{}<>,;]+/)
    .map((token) =>
      token
        .replace(/[.:!?]+$/, "")
        .replace(/(?::\d+)+$/, "")
        .replace(/^\.\//, ""),
    )
    .filter((token) =>
      /^[\w@.+~-]+(?:\/[\w@.+~-]+)+$|^[\w@+~-][\w@.+~-]*\.[a-z]\w{0,7}$/i.test(token),
    );
}
