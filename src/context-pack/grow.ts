import type { ContextPack, PackAttempt } from "../contracts/index.ts";
import { headAndTail } from "../lib/text.ts";
import { constraintFrom, constraintText, present } from "./codec.ts";

/** Characters of an outcome, at most. Source: CONTEXT-PACK, "Entries that kit itself writes". */
const outcomeChars = 400;
/** Characters of an observed error unless told otherwise: some 1,500 tokens of a 6,000 budget. */
const errorChars = 6_000;

/**
 * The pack with one more previous attempt of this run. The outcome is cut to its first line and
 * 400 characters; kit writes `coder on strong (provider/model:thinking), attempt 2` and the
 * failure's name with its message.
 */
export function addPreviousAttempt(pack: ContextPack, attempt: PackAttempt): ContextPack {
  const outcome = clean(attempt.outcome ?? "").split(/\r?\n/, 1)[0] ?? "";
  const entry = {
    summary: clean(attempt.summary),
    ...present("outcome", headAndTail(outcome, outcomeChars).replaceAll("\n", " ").trim()),
  };
  return { ...pack, previousAttempts: [...(pack.previousAttempts ?? []), entry] };
}

/**
 * The pack with one more observed error, bounded by head and tail; one that is already there is
 * not repeated, an empty one adds nothing. What the text holds stays text: it is written fenced.
 */
export function addObservedError(
  pack: ContextPack,
  digest: string,
  maxChars: number = errorChars,
): ContextPack {
  const error = headAndTail(clean(digest), maxChars);
  const known = pack.observedErrors ?? [];
  if (error === "" || known.includes(error)) return pack;
  return { ...pack, observedErrors: [...known, error] };
}

/**
 * The pack with one more file to look at and change. A file it already names keeps its entry and
 * is opened whole: asking for it again means that its ranges were not enough.
 */
export function addFileToPack(pack: ContextPack, path: string, reason?: string): ContextPack {
  if (!pack.relevantFiles.some((file) => file.path === path)) {
    const file = { path, ...present("reason", clean(reason ?? "").replaceAll(/\s+/g, " ")) };
    return { ...pack, relevantFiles: [...pack.relevantFiles, file] };
  }
  let isFirst = true;
  const relevantFiles = pack.relevantFiles.flatMap((file) => {
    if (file.path !== path) return [file];
    const { lines: _, ...whole } = file;
    const kept = isFirst ? [whole] : [];
    isFirst = false;
    return kept;
  });
  return { ...pack, relevantFiles };
}

/** Texts of a pack hold no NUL and no blanks at their ends. */
function clean(text: string): string {
  return text.replaceAll("\0", "\uFFFD").trim();
}

/**
 * The pack with the hard limits of the task text: every line of it that says MUST or MUST NOT
 * and is not among the constraints yet, word for word.
 */
export function addTaskLimits(pack: ContextPack, taskText: string): ContextPack {
  const missing = missingLimits(pack, taskText);
  return missing.length === 0
    ? pack
    : { ...pack, constraints: [...pack.constraints, ...missing.map(constraintFrom)] };
}

/** Lines of the task text with MUST or MUST NOT that no constraint or boundary holds verbatim. */
export function missingLimits(pack: ContextPack, taskText: string): readonly string[] {
  const held = [...pack.constraints.map(constraintText), ...(pack.scope ?? [])];
  return clean(taskText)
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+/, "").trim())
    .filter((line) => /\bMUST\b/.test(line) && !held.some((text) => text.includes(line)))
    .filter((line, index, lines) => lines.indexOf(line) === index);
}
