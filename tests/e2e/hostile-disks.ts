import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { git, repository, temporaryFolder, writeFiles } from "../support/repository.ts";
import { crlfRepository } from "./support.ts";

const user = process.getuid?.();

/** An id without rights of its own: root may write where nobody else may. */
const nobody = 65_534;
const asNobody = [`--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", "--"];

/** Why there is no small disk here, in words; undefined where there is one. */
export const noSmallDisk = whyNot(() => {
  const folder = mkdtempSync(join(tmpdir(), "kit-test-"));
  try {
    mountSmallDisk(folder);
    system("umount", folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, "tests on a full disk: skipped, only root may mount one");

/** Why nobody but root can be played here, in words; undefined where somebody can. */
export const noOtherUser =
  user === 0
    ? whyNot(
        () => system("setpriv", ...asNobody, "true"),
        "tests on a read-only tree: skipped, root may write anywhere and setpriv is not there",
      )
    : undefined;

/** In front of a command: who runs it has to ask for rights. */
export const withoutRights = user === 0 ? ["setpriv", ...asNobody] : [];

/** Gives a folder and all in it to who runs `withoutRights`. */
export function giveAway(folder: string): void {
  if (user === 0) system("chown", "-R", `${nobody}:${nobody}`, folder);
}

/** The red repository, where nothing may be written; writable again when the test ends. */
export function readOnlyRepository(): string {
  const root = repository(crlfRepository);
  giveAway(root);
  system("chmod", "-R", "a-w", root);
  onTestFinished(() => {
    system("chmod", "-R", "u+w", root);
    chmodSync(root, 0o700);
  });
  return root;
}

/** The red repository on a disk of its own, of which `freeBytes` are free. */
export function repositoryOnFullDisk(freeBytes: number): string {
  const root = temporaryFolder();
  mountSmallDisk(root);
  onTestFinished(() => system("umount", "--lazy", root));
  git(root, "init", "-q", "-b", "main", "--template=");
  writeFiles(root, crlfRepository);
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "start");
  const filler = join(root, ".git", "filler");
  const { bavail, bsize } = statfsSync(root);
  writeFileSync(filler, Buffer.alloc(bavail * bsize));
  truncateSync(filler, bavail * bsize - freeBytes);
  return root;
}

function mountSmallDisk(folder: string): void {
  system("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder);
}

/** A program of the system's; @throws Error when it is not there or refuses. */
function system(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: "pipe" });
}

function whyNot(attempt: () => void, words: string): string | undefined {
  try {
    attempt();
    return undefined;
  } catch {
    process.stderr.write(`${words}\n`);
    return words;
  }
}
