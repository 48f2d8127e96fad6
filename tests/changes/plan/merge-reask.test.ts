import { describe, expect, it } from "vitest";
import { mergeReask } from "../../../src/changes/index.ts";
import { repoPath, type Change, type ChangeSet } from "../../../src/contracts/index.ts";

const set = (...changes: readonly Change[]): ChangeSet => ({ changes, format: "canonical" });
const write = (path: string, content: string, line = 1): Change => ({
  kind: "write",
  path: repoPath(path),
  content,
  line,
});
const edit = (path: string, ...hunks: readonly (readonly [string, string, number])[]): Change => ({
  kind: "edit",
  path: repoPath(path),
  hunks: hunks.map(([search, replace, line]) => ({ search, replace, line })),
  line: hunks[0]?.[2] ?? 0,
});

/** Hunks of the merged change of a path, as `search→replace`. */
function merged(
  first: ChangeSet,
  second: ChangeSet,
  ...lines: readonly number[]
): readonly string[] {
  const failed = lines.map((line) => ({ path: "f", line }));
  const result = mergeReask(first, second, failed);
  const change = result.ok ? result.changeSet.changes.find(({ path }) => path === "f") : undefined;
  return change?.kind === "edit" ? change.hunks.map((h) => `${h.search}→${h.replace}`) : [];
}

describe("a second reply", () => {
  const first = set(
    write("a", "A\n"),
    edit("f", ["1", "one", 5], ["2", "two", 9], ["3", "three", 13]),
  );

  it("answers the failed hunks only; the others stay, in order", () => {
    expect(merged(first, set(edit("f", ["2b", "two", 1])), 9)).toEqual([
      "1→one",
      "2b→two",
      "3→three",
    ]);
  });

  it("may say all hunks of the file again", () => {
    const again = set(edit("f", ["1", "one", 1], ["2b", "two", 4], ["3", "three", 7]));

    expect(merged(first, again, 9)).toEqual(["1→one", "2b→two", "3→three"]);
  });

  it("may write a failed file whole", () => {
    const result = mergeReask(first, set(write("f", "F\n")), [{ path: "f", line: 9 }]);

    expect(result).toMatchObject({
      ok: true,
      changeSet: { changes: [{ path: "a" }, { path: "f", kind: "write", content: "F\n" }] },
    });
  });

  it("may repeat what had not failed, but not change it", () => {
    const failed = [{ path: "f", line: 9 }];

    expect(
      mergeReask(first, set(write("a", "A\n", 40), edit("f", ["2b", "x", 1])), failed).ok,
    ).toBe(true);
    expect(
      mergeReask(first, set(write("a", "B\n"), edit("f", ["2b", "x", 1])), failed),
    ).toMatchObject({
      ok: false,
      failure: { kind: "out_of_scope", paths: ["a"] },
    });
    expect(mergeReask(first, set(write("c", "C\n")), failed)).toMatchObject({
      ok: false,
      failure: { kind: "out_of_scope", paths: ["c"] },
    });
  });

  it("that leaves a failed block out leaves it failing", () => {
    expect(merged(first, set(write("a", "A\n")), 9)).toEqual(["1→one", "2→two", "3→three"]);
  });

  it("may bring a file whose block could not be read at all", () => {
    const result = mergeReask(set(write("a", "A\n")), set(write("f", "F\n")), [
      { path: "f", line: 3 },
    ]);

    expect(result.ok && result.changeSet.changes.map(({ path }) => path)).toEqual(["a", "f"]);
  });

  it("may touch any path where the first one did not say which file a block was of", () => {
    const failed = [{ path: "", line: 3 }];
    const result = mergeReask(first, set(edit("f", ["4", "four", 1]), write("g", "G\n")), failed);

    expect(result.ok && result.changeSet.changes.map(({ path }) => path)).toEqual(["a", "f", "g"]);
    const [, f] = result.ok ? result.changeSet.changes : [];
    expect(f?.kind === "edit" && f.hunks.map((h) => h.search)).toEqual(["1", "2", "3", "4"]);
  });
});
