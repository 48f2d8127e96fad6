import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { clean, type KitSummary, progressLine, readEvent, summarise } from "./telling.ts";

export interface KitRequest {
  readonly task: string;
  /** The repository, or a folder in it. */
  readonly cwd: string;
  /** The last lines of progress, each time one is added. */
  readonly onProgress: (lines: readonly string[]) => void;
}

/** A `kit run` that goes on. */
export interface KitRun {
  /** Once the child is gone; never rejects. */
  readonly ended: Promise<KitSummary>;
  /** kit undoes what it wrote and ends. */
  stop(): void;
}

const shownLines = 10;
const keptChars = 16 * 1024 * 1024;

/** kit undoes its writes within seconds of SIGTERM; one that does not is ended. */
const patienceMs = 20_000;

/**
 * Starts `kit run --json` of the package this extension is part of. The task goes in by stdin: it may
 * be of any length, and never becomes an option or a line for a shell.
 * @throws Error where the package is not whole
 */
export function startKit({ task, cwd, onProgress }: KitRequest): KitRun {
  const launcher = launcherOf(import.meta.url);
  const args = ["run", "--json", "--quiet", "--events", "3", "--task", "-"];
  // A pi that is one binary has no Node to lend; the launcher then finds its own.
  const isNode = process.versions["bun"] === undefined;
  const [program, ...first] = isNode ? [process.execPath, launcher] : [launcher];
  const child = spawn(program, [...first, ...args], {
    cwd,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  });
  const lines: string[] = [];
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    if (stdout.length < keptChars) stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = `${stderr}${text}`.slice(-4_000);
  });
  readLines(child.stdio[3], (line) => {
    const event = readEvent(line);
    const told = event && progressLine(event);
    if (told === undefined) return;
    lines.push(clean(told));
    onProgress(lines.slice(-shownLines));
  });
  // A kit that refuses to start may be gone before its task is read.
  child.stdin?.on("error", () => undefined).end(task);
  let forced: NodeJS.Timeout | undefined;
  const ended = new Promise<KitSummary>((settle) => {
    child.once("error", (error) => settle(summarise("", error.message, null)));
    child.once("close", (code) => settle(summarise(stdout, stderr, code)));
  }).finally(() => clearTimeout(forced));
  return {
    ended,
    stop() {
      child.kill("SIGTERM");
      forced ??= setTimeout(() => child.kill("SIGKILL"), patienceMs);
    },
  };
}

/** @throws Error where `bin/kit.cjs` of this package is missing: the folder was copied out of it */
function launcherOf(moduleUrl: string): string {
  const here = realpathSync(fileURLToPath(moduleUrl));
  const launcher = join(here, "..", "..", "..", "..", "bin", "kit.cjs");
  if (existsSync(launcher)) return launcher;
  throw new Error(
    `${launcher} is missing: this extension runs from kit's own package. Try: kit pi check`,
  );
}

/** LF alone ends a line: U+2028 is content. */
function readLines(stream: unknown, onLine: (line: string) => void): void {
  const readable = stream as NodeJS.ReadableStream | null | undefined;
  let unfinished = "";
  readable?.setEncoding("utf8");
  readable?.on("data", (text: string) => {
    const parts = `${unfinished}${text}`.split("\n");
    unfinished = parts.pop() ?? "";
    for (const line of parts) onLine(line);
  });
}
