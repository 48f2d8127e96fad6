import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffOfPlan, memoryTree, planChanges, type PlanDiff } from "../../../src/changes/index.ts";
import { diffLines } from "../../../src/changes/diff/lines.ts";
import { repoPath, type Change } from "../../../src/contracts/index.ts";
import { repository, snapshot } from "../../support/repository.ts";
import { propertyRuns } from "../support/property-runs.ts";
import { writeScope } from "../support/scope.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

async function diffOf(
  files: Files,
  changes: readonly Change[],
  colour = false,
): Promise<PlanDiff & { plan: Map<string, string> }> {
  const result = await planChanges(
    { changes, format: "canonical" },
    memoryTree(files),
    writeScope(),
  );
  if (!result.ok) throw new Error(result.failure.message);
  const after = new Map(
    Object.entries(files).map(([path, text]) => [path, Buffer.from(text).toString("latin1")]),
  );
  for (const operation of result.plan.operations) {
    if (operation.kind === "delete" || operation.kind === "rename") after.delete(operation.path);
    if (operation.kind === "delete") continue;
    const path = operation.kind === "rename" ? operation.to : operation.path;
    after.set(path, Buffer.from(operation.after).toString("latin1"));
  }
  return { ...diffOfPlan(result.plan, result.before, { colour }), plan: after };
}

const write = (path: string, content: string): Change => ({
  kind: "write",
  path: repoPath(path),
  content,
  line: 1,
});
const remove = (path: string): Change => ({ kind: "delete", path: repoPath(path), line: 1 });
const rename = (path: string, to: string): Change => ({
  kind: "rename",
  path: repoPath(path),
  to: repoPath(to),
  line: 1,
});
const numbers = (count: number): string =>
  Array.from({ length: count }, (_, index) => `${index + 1}\n`).join("");

describe("the diff of a plan", () => {
  it("shows each file with three lines of context", async () => {
    const diff = await diffOf({ "a.txt": numbers(20) }, [
      write("a.txt", numbers(20).replace("\n5\n", "\nfive\n").replace("\n15\n", "\n15\nmore\n")),
    ]);

    expect(diff.text).toBe(
      [
        "diff --git a/a.txt b/a.txt",
        "--- a/a.txt",
        "+++ b/a.txt",
        "@@ -2,7 +2,7 @@",
        " 2",
        " 3",
        " 4",
        "-5",
        "+five",
        " 6",
        " 7",
        " 8",
        "@@ -13,6 +13,7 @@",
        " 13",
        " 14",
        " 15",
        "+more",
        " 16",
        " 17",
        " 18",
        "",
      ].join("\n"),
    );
    expect(diff.changes).toEqual([{ kind: "write", path: "a.txt", added: 2, removed: 1 }]);
  });

  it("says what happens to each path, how it was matched and how many lines change", async () => {
    const files = {
      "b.txt": "b\r\n",
      "c.txt": "c\n",
      "d.txt": "d\n",
      "logo.png": Buffer.from([1, 0]),
    };
    const diff = await diffOf(files, [
      write("new.txt", "1\n2\n"),
      {
        kind: "edit",
        path: repoPath("b.txt"),
        line: 1,
        hunks: [{ search: "b\n", replace: "B\n", line: 1 }],
      },
      remove("c.txt"),
      rename("d.txt", "e.txt"),
      remove("logo.png"),
    ]);

    expect(diff.changes).toEqual([
      { kind: "create", path: "new.txt", added: 2, removed: 0 },
      { kind: "edit", path: "b.txt", strategy: "line_ends", added: 1, removed: 1 },
      { kind: "rename", path: "d.txt", to: "e.txt", added: 0, removed: 0 },
      { kind: "delete", path: "c.txt", added: 0, removed: 1 },
      { kind: "delete", path: "logo.png", added: 0, removed: 0 },
    ]);
    expect(diff.text).toContain("Binary files a/logo.png and /dev/null differ");
    expect(diff.text).toContain("rename from d.txt\nrename to e.txt\n");
  });

  it("takes a deletion and a creation of like contents for a move", async () => {
    const diff = await diffOf({ "old.txt": numbers(10), "other.txt": "z\n" }, [
      remove("old.txt"),
      remove("other.txt"),
      write("new.txt", `${numbers(10)}more\n`),
    ]);

    expect(diff.changes).toEqual([
      { kind: "rename", path: "old.txt", to: "new.txt", added: 1, removed: 0 },
      { kind: "delete", path: "other.txt", added: 0, removed: 1 },
    ]);
  });

  it("is coloured when asked", async () => {
    const diff = await diffOf({ "a.txt": "a\n" }, [write("a.txt", "b\n")], true);

    expect(diff.text).toContain("\u001b[31m-a\u001b[39m\n\u001b[32m+b\u001b[39m\n");
    expect(diff.text).toContain("\u001b[36m@@ -1,1 +1,1 @@\u001b[39m");
  });

  it("can be applied by git to the byte", async () => {
    const files = {
      "src/a.js": numbers(30),
      "crlf.txt": "a\r\nb\r\nc\r\n",
      "no-end.txt": "a\nb",
      "to-end.txt": "a\nb",
      "my file (1).md": "one\n",
      "docs/日本.md": "x\ny\n",
      "gone.txt": "g\n",
      "moved.txt": numbers(5),
      "empty.txt": "",
    };
    const changes = [
      write("src/a.js", numbers(30).replace("\n1", "\nx1").replace("\n29\n", "\n")),
      write("crlf.txt", "a\nB\nc\nd\n"),
      write("no-end.txt", "A\nb\n"),
      write("to-end.txt", "a\nb\nc\n"),
      write("my file (1).md", "two\n"),
      write("docs/日本.md", "y\nz\n"),
      remove("gone.txt"),
      { ...write("new/deep.txt", "n") },
      write("new/empty.txt", ""),
      write("empty.txt", "e\n"),
      {
        kind: "edit",
        path: repoPath("moved.txt"),
        line: 1,
        renameTo: repoPath("there.txt"),
        hunks: [{ search: "3\n", replace: "three\n", line: 1 }],
      } as const,
    ];
    const diff = await diffOf(files, changes);
    const root = repository(files);

    execFileSync("git", ["apply", "-p1", "-"], { cwd: root, input: diff.text });

    const found = [...snapshot(root).keys()].filter((path) =>
      snapshot(root).get(path)?.startsWith("file"),
    );
    expect(found.sort()).toEqual([...diff.plan.keys()].sort());
    const texts = found.map((path) => [path, readFileSync(join(root, path), "latin1")]);
    expect(Object.fromEntries(texts)).toEqual(Object.fromEntries(diff.plan));
  });
});

describe("the steps between two lists of lines", () => {
  it("lead from one to the other", () => {
    const list = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 20 });

    fc.assert(
      fc.property(list, list, (before, after) => {
        let [from, to] = [0, 0];
        const built: string[] = [];
        for (const { kind, count } of diffLines(before, after)) {
          if (kind === "keep") {
            expect(before.slice(from, from + count)).toEqual(after.slice(to, to + count));
          }
          if (kind !== "add") from += count;
          if (kind !== "remove") {
            built.push(...after.slice(to, to + count));
            to += count;
          }
        }
        expect(from).toBe(before.length);
        expect(built).toEqual(after);
      }),
      { numRuns: propertyRuns(0.2) },
    );
  });

  it("are few and quick for long lists without a line in common", () => {
    const before = Array.from({ length: 50_000 }, (_, index) => `a${index}`);
    const after = Array.from({ length: 50_000 }, (_, index) => `b${index}`);

    expect(diffLines(before, after)).toEqual([
      { kind: "remove", count: 50_000 },
      { kind: "add", count: 50_000 },
    ]);
  });
});
