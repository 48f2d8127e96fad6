import { KitError } from "../../contracts/index.ts";
import { redact } from "../../lib/redaction.ts";
import { readInput } from "../input.ts";
import type { Io } from "../io.ts";
import type { RunFlags } from "./flags.ts";

/** Nothing says what to do. */
export function noTask(): KitError {
  return new KitError("usage", "There is no task.", {
    next: 'Say what to do: kit run --task "Saving an empty project crashes"',
  });
}

/**
 * The task as the user gave it, in one of three ways; undefined where only a pack is given.
 * @throws KitError `usage` for none, an empty one, more than one, or an option taken for a task
 */
export async function taskText(
  flags: RunFlags,
  positional: string | undefined,
  io: Io,
): Promise<string | undefined> {
  const ways = [positional, flags.task, flags.taskFile].filter((way) => way !== undefined);
  if (ways.length > 1) {
    throw new KitError("usage", "The task is given more than once.", {
      next: "Give it as TASK, with --task or with --task-file",
    });
  }
  if (ways.length === 0) {
    if (flags.pack === undefined) throw noTask();
    return undefined;
  }
  const text = await readTask(flags, positional, io);
  if (text.trim() === "")
    throw new KitError("usage", "The task is empty.", {
      next: "Say what to do, in a sentence or more",
    });
  // commander takes whatever follows --task: `kit run --task --json` would pay for the task "--json".
  if (/^--?[a-z][\w-]*$/.test(text.trim())) {
    throw new KitError("usage", `The task "${text.trim()}" is an option, not a task.`, {
      next: 'Say what to do, in words: kit run --task "Saving an empty project crashes"',
    });
  }
  // What looks like a credential goes to no provider, whoever wrote it.
  return redact(text.trim());
}

async function readTask(flags: RunFlags, positional: string | undefined, io: Io): Promise<string> {
  if (flags.taskFile !== undefined) return readInput("--task-file", flags.taskFile, io);
  const task = flags.task ?? positional ?? "";
  return task === "-" ? readInput("The task", "-", io) : task;
}
