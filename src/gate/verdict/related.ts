import { wordsOf } from "../../lib/words.ts";
import { saysFailure } from "./digest.ts";
import { readableLines } from "./output-lines.ts";

/**
 * Whether a red baseline looks like what the task is about: its failing lines name one of the
 * task's files, or share a word with the task. A guess: it only decides whether kit says, before
 * anything is paid, that the baseline is red for reasons the task does not touch.
 * @param output of the red commands. @param files the ones the task speaks for (not those that
 * this very output put into a ranking), or the pack's.
 * @param root absolute top level of the repository.
 */
export function isRelatedToTask(
  output: string,
  task: string,
  files: readonly string[],
  root: string,
): boolean {
  const lines = readableLines(output, root);
  const text = lines.join("\n");
  if (files.some((path) => text.includes(path) || mentionsName(text, path))) return true;
  const wanted = new Set(wordsOf(task));
  const failing = lines.filter(saysFailure);
  const judged = failing.length > 0 ? failing : lines;
  return judged.some((line) => wordsOf(line).some((word) => wanted.has(word)));
}

/** Base names that say something: `math.js` does, `index.js` does not. */
function mentionsName(text: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (/^(?:index|main|mod|lib|__init__|app|test|package)\./i.test(name)) return false;
  const at = text.indexOf(name);
  return (
    at !== -1 && !/[\w.-]/.test(text[at - 1] ?? " ") && !/[\w-]/.test(text[at + name.length] ?? " ")
  );
}
