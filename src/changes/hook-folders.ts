import { isAbsolute, relative, sep } from "node:path";
import { gitEnvironment } from "../lib/git.ts";
import { runProcess } from "../lib/processes/index.ts";

/**
 * Folders of this tree that git runs hooks from by its settings (`core.hooksPath`), relative to
 * the root; for `checkWritePath`. Empty where none lies inside, or there is no git. Asked without
 * lib's `Git`, which overrides that very setting; reading settings runs nothing.
 */
export async function hookFolders(root: string): Promise<readonly string[]> {
  const { stdout } = await runProcess({
    program: "git",
    args: ["config", "--null", "--type=path", "--get-all", "core.hooksPath"],
    cwd: root,
    env: gitEnvironment(),
    timeoutMs: 10_000,
    startsOthers: false,
    label: "git",
  });
  // A relative path is relative to the top level, where hooks run (githooks(5)).
  return (
    stdout
      .toString("utf8")
      .split("\0")
      .map((value) => (isAbsolute(value) ? relative(root, value) : value))
      .map((value) =>
        value
          .split(sep)
          .filter((part) => part !== "" && part !== ".")
          .join("/"),
      )
      .filter((folder) => folder !== "" && folder !== ".." && !folder.startsWith("../"))
      // husky's own scripts in `_` run those of the folder around it.
      .flatMap((folder) =>
        folder.endsWith(".husky/_") ? [folder.slice(0, -"/_".length), folder] : [folder],
      )
  );
}
