import type {
  ContextItem,
  Decision,
  PackAttempt,
  SuccessCriterion,
} from "../../contracts/index.ts";
import { present } from "../codec.ts";
import { codeSpan, codeSpanAt } from "./code-span.ts";
import {
  DASH,
  escapeSeparators,
  separator,
  type Separator,
  splitAt,
  unescapeSeparators,
} from "./item-escapes.ts";

/** The lines of items that hold more than one text, in both directions. */

const outcome = separator(String.raw`${DASH}[ \t]+outcome:(?=\s|$)`);
const because = separator(String.raw`${DASH}[ \t]+because(?=\s|$)`);
const check = separator(String.raw`\(check:(?=\s|$)`);
const source = separator(String.raw`\(source:(?=\s|$)`);

/** `summary — outcome: text`; the first separator without `\` splits. */
export function readAttempt(text: string): PackAttempt {
  const split = splitAt(text, outcome);
  if (!split) return { summary: unescapeSeparators(text, outcome) };
  return { summary: split.before, ...present("outcome", split.after) };
}

export function writeAttempt(attempt: PackAttempt): string {
  const summary = escapeSeparators(attempt.summary, outcome);
  return attempt.outcome === undefined ? summary : `${summary} — outcome: ${attempt.outcome}`;
}

/** `choice — because reason (source: `text`)`; `undefined` without a reason. */
export function readDecision(text: string): Decision | undefined {
  const split = splitAt(text, because);
  if (!split || split.after === "") return undefined;
  const tagged = readTag(split.after, source);
  return { choice: split.before, because: tagged.text, ...present("source", tagged.tag) };
}

export function writeDecision(decision: Decision): string {
  const choice = escapeSeparators(decision.choice, because);
  return `${choice} — because ${writeTag(decision.because, "source", decision.source)}`;
}

/** `[ ] text (check: `command`)`; the box may be ticked or missing. */
export function readCriterion(text: string): SuccessCriterion {
  const tagged = readTag(text.replace(/^\[[ xX]\]\s+/, ""), check);
  return { text: tagged.text, ...present("check", tagged.tag) };
}

export function writeCriterion(criterion: SuccessCriterion): string {
  return `[ ] ${writeTag(criterion.text, "check", criterion.check)}`;
}

const tags = { check, source };

function writeTag(text: string, name: keyof typeof tags, tag: string | undefined): string {
  const plain = escapeSeparators(text, tags[name]);
  return tag === undefined ? plain : `${plain} (${name}: ${codeSpan(tag)})`;
}

/** A text that ends in a tag: `(name: ` and one code span and `)`. Anything else is text. */
function readTag(text: string, tag: Separator): { text: string; tag?: string } {
  const split = splitAt(text, tag);
  const span = split && codeSpanAt(split.after, 0);
  if (split && span && split.after.slice(span.end) === ")") {
    return { text: split.before, tag: span.content };
  }
  return { text: unescapeSeparators(text, tag) };
}

const ITEM_HEAD = /^\[([a-z][a-z0-9-]*)\/([a-z][a-z0-9-]*)\]\s+(\S+?):\s/;
const bracket = separator(String.raw`\(`);

/** `[kind/authority] id: summary (source)`; `undefined` where it is anything else. */
export function readContextItem(text: string): ContextItem | undefined {
  const head = ITEM_HEAD.exec(text);
  if (!head || !text.endsWith(")")) return undefined;
  const rest = text.slice(head[0].length, -1);
  const open = [...rest.matchAll(bracket.pattern)].findLast((match) => match[2] === "");
  if (!open) return undefined;
  const [, kind = "", authority = "", id = ""] = head;
  return {
    id,
    kind,
    authority,
    summary: rest.slice(0, open.index).trim(),
    source: unescapeSeparators(rest.slice(open.index + open[0].length), bracket),
  };
}

export function writeContextItem(item: ContextItem): string {
  const from = escapeSeparators(item.source, bracket);
  return `[${item.kind}/${item.authority}] ${item.id}: ${item.summary} (${from})`;
}
