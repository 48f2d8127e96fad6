import { chmodSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Failure } from "../../../src/contracts/index.ts";
import type { Wish } from "./plans.ts";

const isRoot = process.getuid?.() === 0;

/** What stands in the way of a plan, put there after the plan was made. */
export interface Hindrance {
  readonly wish: Wish;
  readonly put: (root: string) => void;
  readonly kind: Failure["kind"];
  readonly says: string;
}

/** By what it is; the tree has `src/a.js` and, beside the repository, `outside/victim.txt`. */
export const hindrances: Readonly<Record<string, Hindrance>> = {
  "a file that the user saved meanwhile": {
    wish: { "src/a.js": "A" },
    put: (root) => writeFileSync(join(root, "src/a.js"), "typed by the user"),
    kind: "conflict",
    says: "src/a.js was changed on disk since it was read.",
  },
  "a file that is gone": {
    wish: { "src/a.js": null },
    put: (root) => rmSync(join(root, "src/a.js")),
    kind: "conflict",
    says: "src/a.js is gone since it was read.",
  },
  "a folder that is gone": {
    wish: { "src/a.js": "A" },
    put: (root) => rmSync(join(root, "src"), { recursive: true }),
    kind: "conflict",
    says: "src/a.js is gone: the folder src is not there any more.",
  },
  "a file where one was to be created": {
    wish: { "src/late.js": "new" },
    put: (root) => writeFileSync(join(root, "src/late.js"), "made by someone else"),
    kind: "conflict",
    says: "src/late.js exists by now; kit was to create it and overwrites nothing.",
  },
  "a file where one was to be moved": {
    wish: { "src/a.js": "→ src/b.js" },
    put: (root) => writeFileSync(join(root, "src/b.js"), "made by someone else"),
    kind: "conflict",
    says: "src/b.js exists by now; kit was to create it and overwrites nothing.",
  },
  "a folder in a file's place": {
    wish: { docs: "x" },
    put: (root) => mkdirSync(join(root, "docs")),
    kind: "conflict",
    says: "docs is a folder; kit was to create it.",
  },
  "a folder where a file stood": {
    wish: { "src/a.js": "A" },
    put: (root) => {
      rmSync(join(root, "src/a.js"));
      mkdirSync(join(root, "src/a.js"));
    },
    kind: "conflict",
    says: "src/a.js is a folder.",
  },
  "a file in a folder's place": {
    wish: { "lib/util.js": "x" },
    put: (root) => writeFileSync(join(root, "lib"), "i am a file"),
    kind: "conflict",
    says: "lib/util.js is not written: lib is a file.",
  },
  "a link in a file's place": {
    wish: { "src/a.js": "A" },
    put: (root) => {
      rmSync(join(root, "src/a.js"));
      symlinkSync("../../outside/victim.txt", join(root, "src/a.js"));
    },
    kind: "conflict",
    says: "src/a.js is a symbolic link to ../../outside/victim.txt.",
  },
  "a dangling link where a file was to be created": {
    wish: { "draft.txt": "x" },
    put: (root) => symlinkSync("../outside/not-yet.txt", join(root, "draft.txt")),
    kind: "conflict",
    says: "draft.txt is a symbolic link to ../outside/not-yet.txt; kit was to create it.",
  },
  "a link in a folder's place": {
    wish: { "src/a.js": "A" },
    put: (root) => {
      rmSync(join(root, "src"), { recursive: true });
      symlinkSync("../outside", join(root, "src"));
    },
    kind: "conflict",
    says: "src/a.js is not written: src is a symbolic link to ../outside.",
  },
  "a link on the way to a new file": {
    wish: { "outbox/deep/a.txt": "x" },
    put: (root) => symlinkSync("../outside", join(root, "outbox")),
    kind: "conflict",
    says: "outbox/deep/a.txt is not written: outbox is a symbolic link to ../outside.",
  },
  "a repository of its own": {
    wish: { "vendor/lib/a.js": "x" },
    put: (root) => mkdirSync(join(root, "vendor/lib/.git"), { recursive: true }),
    kind: "conflict",
    says: "vendor/lib/a.js is not written: vendor/lib is a repository of its own.",
  },
  "a submodule that was not fetched": {
    wish: { "vendor/lib/a.js": "x" },
    put: (root) => {
      mkdirSync(join(root, "vendor/lib"), { recursive: true });
      writeFileSync(join(root, ".gitmodules"), '[submodule "l"]\n\tpath = vendor/lib\n');
    },
    kind: "conflict",
    says: "vendor/lib/a.js is not written: vendor/lib is a submodule.",
  },
  "a second name of the file": {
    wish: { "src/a.js": "A" },
    put: (root) => linkSync(join(root, "src/a.js"), join(root, "hard.js")),
    kind: "environment",
    says: "src/a.js has 2 names (hard links); writing it would part or change the others.",
  },
  "a read-only file": {
    wish: { "src/a.js": "A" },
    put: (root) => chmodSync(join(root, "src/a.js"), 0o444),
    kind: "environment",
    says: isRoot ? "src/a.js is read-only." : "src/a.js: kit may not write there (EACCES).",
  },
  "a read-only file that is to go": {
    wish: { "src/a.js": null },
    put: (root) => chmodSync(join(root, "src/a.js"), 0o444),
    kind: "environment",
    says: isRoot ? "src/a.js is read-only." : "src/a.js: kit may not write there (EACCES).",
  },
  "a read-only folder": {
    wish: { "src/new.js": "x" },
    put: (root) => chmodSync(join(root, "src"), 0o555),
    kind: "environment",
    says: "The folder src is read-only.",
  },
};
