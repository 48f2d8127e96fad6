import { execFileSync } from "node:child_process";
import { chmodSync, rmSync, statfsSync, truncateSync, writeFileSync } from "node:fs";
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
  const folder = execFileSync("mktemp", ["-d"], { encoding: "utf8" }).trim();
  try {
    mountSmallDisk(folder);
    execFileSync("umount", [folder]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, "tests on a full disk: skipped, only root may mount one");

/** Why nobody but root can be played here, in words; undefined where somebody can. */
export const noOtherUser =
  user === 0
    ? whyNot(
        () => execFileSync("setpriv", [...asNobody, "true"]),
        "tests on a read-only tree: skipped, root may write anywhere and setpriv is not there",
      )
    : undefined;

/** In front of a command: who runs it has to ask for rights. */
export const withoutRights = user === 0 ? ["setpriv", ...asNobody] : [];

/** Gives a folder and all in it to who runs `withoutRights`. */
export function giveAway(folder: string): void {
  if (user === 0) execFileSync("chown", ["-R", `${nobody}:${nobody}`, folder]);
}

/** The red repository, where nothing may be written; writable again when the test ends. */
export function readOnlyRepository(): string {
  const root = repository(crlfRepository);
  giveAway(root);
  execFileSync("chmod", ["-R", "a-w", root]);
  onTestFinished(() => {
    execFileSync("chmod", ["-R", "u+w", root]);
    chmodSync(root, 0o700);
  });
  return root;
}

/** The red repository on a disk of its own, of which `freeBytes` are free. */
export function repositoryOnFullDisk(freeBytes: number): string {
  const root = temporaryFolder();
  mountSmallDisk(root);
  onTestFinished(() => void execFileSync("umount", ["--lazy", root]));
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
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], { stdio: "pipe" });
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
