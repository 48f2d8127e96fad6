import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  lstatSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { onTestFinished } from "vitest";

/** Where a test leaves what is to be done at its end. */
export type RunAtEnd = (undo: () => void | Promise<void>) => void;

/**
 * A new empty folder, links resolved, removed when the test ends. Concurrent tests give the
 * `onTestFinished` of their own context.
 */
export function temporaryFolder(atEnd: RunAtEnd = onTestFinished): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "kit-test-")));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes `files` (path → text or bytes) under `root`, folders included. */
export function writeFiles(root: string, files: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** Runs git in `root` and gives its stdout. */
export function git(root: string, ...args: string[]): string {
  return execFileSync("git", args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** A real git repository with one commit that holds `files`. Gives its absolute root. */
export function repository(
  files: Record<string, string | Uint8Array>,
  atEnd: RunAtEnd = onTestFinished,
): string {
  const root = temporaryFolder(atEnd);
  git(root, "init", "-q", "-b", "main");
  writeFiles(root, files);
  git(root, "add", "-A");
  git(root, "commit", "-q", "--allow-empty", "-m", "start");
  return root;
}

/**
 * Every file under `root` but `.git` and the named folders: path → kind, mode and content, to
 * compare two moments byte by byte.
 */
export function snapshot(root: string, except: readonly string[] = [".git"]): Map<string, string> {
  const entries = new Map<string, string>();
  const visit = (folder: string): void => {
    for (const name of readdirSync(folder).sort()) {
      const file = join(folder, name);
      const path = relative(root, file);
      if (except.includes(path)) continue;
      const stat = lstatSync(file);
      if (stat.isDirectory()) {
        entries.set(path, `folder ${(stat.mode & 0o7777).toString(8)}`);
        visit(file);
      } else if (stat.isSymbolicLink()) entries.set(path, `link ${readlinkSync(file)}`);
      else
        entries.set(
          path,
          `file ${(stat.mode & 0o7777).toString(8)} ${readFileSync(file).toString("base64")}`,
        );
    }
  };
  visit(root);
  return entries;
}
