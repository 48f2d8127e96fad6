import { describe, expect, test } from "vitest";
import { checkWritePath, openTransactions } from "../../src/changes/index.ts";
import { parseRepoPath, repoPath } from "../../src/contracts/index.ts";
import { snapshot, temporaryFolder } from "../support/repository.ts";
import { hostilePaths } from "./hostile-paths.ts";
import { oddPaths } from "./odd-paths.ts";

const nothingNamed: ReadonlySet<string> = new Set();

/** Why a path may not be written, by its text alone; undefined when it may. */
function refusal(text: string, named = nothingNamed): string | undefined {
  const parsed = parseRepoPath(text);
  if (!parsed.ok) return parsed.reason;
  const checked = checkWritePath(parsed.path, named);
  return checked.ok ? undefined : checked.reason;
}

describe("paths that may be written", () => {
  test("the table holds at least 500 hostile and 100 odd ones", () => {
    expect(new Set([...hostilePaths().values()].flat()).size).toBeGreaterThanOrEqual(500);
    expect(new Set(oddPaths()).size).toBeGreaterThanOrEqual(100);
  });

  test.for([...hostilePaths()])("none is accepted of those that %s", ([, paths]) => {
    const accepted = paths.filter((path) => refusal(path) === undefined);
    expect(accepted).toEqual([]);
  });

  test("reasons are one readable line", () => {
    for (const path of [...hostilePaths().values()].flat()) {
      expect(refusal(path)).toMatch(/^[^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]{5,250}$/u);
    }
  });

  test("odd but legal ones are all accepted, written to the byte and taken back", async () => {
    const root = temporaryFolder();
    const transactions = openTransactions({ root, stateDir: temporaryFolder() });
    // Folders are walked one by one; hundreds of them would only make this slow.
    const flat = oddPaths().filter((path) => path.split("/").length < 50);
    const operations = flat.map((odd, index) => {
      const path = repoPath(`${index}/${odd}`);
      return { kind: "create" as const, path, after: Buffer.from(odd), mode: 0o644 };
    });

    expect(oddPaths().filter((path) => refusal(path) !== undefined)).toEqual([]);
    const result = await transactions.apply({ operations, hash: "odd" });

    if (!result.ok) throw new Error(result.failure.message);
    const files = snapshot(root);
    for (const { path, after } of operations) {
      expect(files.get(path)).toBe(`file 644 ${after.toString("base64")}`);
    }
    await transactions.rollback(result.applied);
    expect(snapshot(root)).toEqual(new Map());
  });

  test.for([
    [".github/workflows/ci.yml", ".github/workflows/ci.yml"],
    [".github/workflows/ci.yml", ".github/workflows"],
    ["packages/a/.npmrc", "packages/a/.npmrc"],
    [".vscode/tasks.json", ".vscode"],
    [".husky/pre-commit", ".husky/pre-commit"],
  ])("%s is opened by naming %s", ([path = "", named = ""]) => {
    expect(refusal(path, new Set([named]))).toBeUndefined();
  });

  test.for([
    [".github/workflows/ci.yml", ".github"],
    [".github/workflows/ci.yml", ".github/workflows/other.yml"],
    ["packages/a/.npmrc", "packages/a"],
    ["packages/a/.npmrc", ".npmrc"],
    [".vscode/tasks.json", ".VSCODE"],
    [".git/config", ".git/config"],
    [".kit/kit.yaml", ".kit/kit.yaml"],
    ["nul.txt", "nul.txt"],
  ])("%s stays closed when %s is named", ([path = "", named = ""]) => {
    expect(refusal(path, new Set([named]))).toBeDefined();
  });

  test("hook folders of the repository's settings are protected like the usual ones", () => {
    const hook = repoPath("tools/Hooks/pre-commit");
    expect(checkWritePath(hook, nothingNamed, ["tools/hooks"])).toMatchObject({ ok: false });
    expect(checkWritePath(hook, new Set([hook]), ["tools/hooks"])).toEqual({ ok: true });
    expect(checkWritePath(repoPath("src/hooks/use.ts"), nothingNamed, ["hooks"])).toEqual({
      ok: true,
    });
  });
});
