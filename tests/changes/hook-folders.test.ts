import { join } from "node:path";
import { expect, test } from "vitest";
import { hookFolders } from "../../src/changes/index.ts";
import { git, repository, temporaryFolder } from "../support/repository.ts";

test.for([
  [undefined, []],
  ["tools/hooks", ["tools/hooks"]],
  ["./tools//hooks/", ["tools/hooks"]],
  [".husky/_", [".husky", ".husky/_"]],
  ["../elsewhere", []],
  ["/etc/hooks", []],
  ["~/hooks", []],
  ["<root>/tools/hooks", ["tools/hooks"]],
] as const)("core.hooksPath %s names the hook folders %j", async ([value, folders]) => {
  const root = repository({ "a.txt": "a" });
  if (value !== undefined) {
    git(root, "config", "core.hooksPath", value.replace("<root>/", join(root, "/")));
  }
  expect(await hookFolders(root)).toEqual(folders);
});

test("a folder without git has no hook folders", async () => {
  expect(await hookFolders(temporaryFolder())).toEqual([]);
});
