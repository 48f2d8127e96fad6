import { describe, expect, it } from "vitest";
import {
  memoryTree,
  planChanges,
  type MemoryFile,
  type PlanResult,
  type WriteScope,
} from "../../../src/changes/index.ts";
import { repoPath, type Change } from "../../../src/contracts/index.ts";
import { sha256 } from "../../../src/lib/text.ts";
import { writeScope } from "../support/scope.ts";

const write = (path: string, content: string, line = 1): Change => ({
  kind: "write",
  path: repoPath(path),
  content,
  line,
});
const edit = (path: string, search: string, replace: string, line = 1): Change => ({
  kind: "edit",
  path: repoPath(path),
  hunks: [{ search, replace, line }],
  line,
});
const remove = (path: string): Change => ({ kind: "delete", path: repoPath(path), line: 1 });
const rename = (path: string, to: string): Change => ({
  kind: "rename",
  path: repoPath(path),
  to: repoPath(to),
  line: 1,
});

function plan(
  tree: Readonly<Record<string, MemoryFile>>,
  changes: readonly Change[],
  scope: Partial<WriteScope> = {},
): Promise<PlanResult> {
  return planChanges({ changes, format: "canonical" }, memoryTree(tree), writeScope(scope));
}

/** What is wrong with each block of a plan that failed as `apply`; else the kind of the result. */
async function reasons(...call: Parameters<typeof plan>): Promise<readonly string[] | string> {
  const result = await plan(...call);
  if (result.ok) return "ok";
  if (result.failure.kind !== "apply") return result.failure.kind;
  return result.failure.blocks.map((block) => block.reason);
}

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `${index + 1}\n`).join("");

describe("a plan", () => {
  it("holds one effect per path, with what stood there before", async () => {
    const tree = {
      "a.txt": "a\n",
      "b.txt": { kind: "file", bytes: Buffer.from("b\n"), mode: 0o755 },
      "c.txt": "c\n",
      "d.txt": "d\n",
    } as const;
    const result = await plan(tree, [
      write("new.txt", "n\n"),
      write("a.txt", "A\n"),
      edit("b.txt", "b\n", "B\n"),
      remove("c.txt"),
      rename("d.txt", "e.txt"),
      edit("e.txt", "d\n", "E\n"),
    ]);

    const before = (text: string, mode = 0o644): object => ({ hash: sha256(text), mode });
    const after = (text: string): Uint8Array => new TextEncoder().encode(text);
    expect(result.ok && result.plan.operations).toEqual([
      { kind: "create", path: "new.txt", after: after("n\n"), mode: 0o644 },
      { kind: "write", path: "a.txt", before: before("a\n"), after: after("A\n") },
      {
        kind: "edit",
        path: "b.txt",
        before: before("b\n", 0o755),
        after: after("B\n"),
        strategy: "exact",
      },
      {
        kind: "rename",
        path: "d.txt",
        to: "e.txt",
        before: before("d\n"),
        after: after("E\n"),
        strategy: "exact",
      },
      { kind: "delete", path: "c.txt", before: before("c\n") },
    ]);
    expect(result.ok && [...result.before.keys()].sort()).toEqual([
      "a.txt",
      "b.txt",
      "c.txt",
      "d.txt",
    ]);
  });

  it("has a hash of what it does, however it is written", async () => {
    const tree = { "a.txt": "a\n", "b.txt": "b\n" };
    const hashOf = async (...changes: readonly Change[]): Promise<string> => {
      const result = await plan(tree, changes);
      return result.ok ? result.plan.hash : result.failure.kind;
    };
    const whole = await hashOf(write("a.txt", "x\n"), remove("b.txt"));

    expect(await hashOf(remove("b.txt"), edit("a.txt", "a\n", "x\n"))).toBe(whole);
    expect(await hashOf(write("a.txt", "y\n"), remove("b.txt"))).not.toBe(whole);
    expect(await hashOf(write("a.txt", "x\n"))).not.toBe(whole);
  });

  it("that leaves every file as it is fails as no_changes", async () => {
    const tree = { "a.txt": "a\n" };

    expect(await reasons(tree, [write("a.txt", "a\n")])).toBe("no_changes");
    expect(await reasons(tree, [edit("a.txt", "a\n", "a\n")])).toBe("no_changes");
    const both: Change = {
      ...edit("a.txt", "a\n", "b\n"),
      kind: "edit",
      hunks: [
        { search: "a\n", replace: "b\n", line: 1 },
        { search: "b\n", replace: "a\n", line: 2 },
      ],
    };
    expect(await reasons(tree, [both])).toBe("no_changes");
  });

  it("keeps nothing of a reply in which one block fails, and names all that do", async () => {
    const result = await plan({ "a.txt": "a\n", "b.txt": "b\n" }, [
      write("a.txt", "A\n", 3),
      edit("b.txt", "x\n", "y\n", 7),
      remove("z.txt"),
    ]);

    expect(result).toMatchObject({
      ok: false,
      failure: {
        kind: "apply",
        blocks: [
          { line: 7, path: "b.txt", reason: "the search text is not in the file" },
          { line: 1, path: "z.txt", reason: "there is no such file to delete" },
        ],
      },
    });
  });
});

describe("a conflict is named", () => {
  const link: MemoryFile = { kind: "link", target: "../outside" };
  const tree: Record<string, MemoryFile> = {
    lib: "i am a file\n",
    "docs/a.md": "x\n",
    "src/Util.js": "u\n",
    "src/a.js": "a\n",
    "src/b.js": "b\n",
    draft: link,
    outbox: link,
    pipe: { kind: "other" },
  };
  const table: readonly (readonly [string, readonly Change[], string])[] = [
    ["a folder", [write("docs", "x\n")], "docs is a folder"],
    ["a file for a folder", [write("lib/util.js", "x\n")], "lib is a file"],
    [
      "both in one reply",
      [write("new", "x\n"), write("new/deep.js", "x\n")],
      "new is both a file and a folder in this reply",
    ],
    [
      "both, the other way round",
      [write("new/deep.js", "x\n"), write("new", "x\n")],
      "new is both a file and a folder in this reply",
    ],
    [
      "a folder below a file that goes",
      [remove("lib"), write("lib/x", "x\n")],
      "lib is a file that this reply removes",
    ],
    ["a link", [write("draft", "x\n")], "draft is a link to ../outside; ask for that file instead"],
    ["a link on the way", [write("outbox/a.txt", "x\n")], "outbox is a link to ../outside"],
    ["no regular file", [write("pipe", "x\n")], "pipe is not a regular file"],
    [
      "a twin in case",
      [write("src/util.js", "x\n")],
      "differs from src/Util.js in upper and lower case only",
    ],
    [
      "a folder twin in case",
      [write("SRC/new.js", "x\n")],
      "differs from src in upper and lower case only",
    ],
    [
      "a twin in case in one reply",
      [write("x/New.js", "x\n"), write("x/new.js", "x\n")],
      "differs from x/New.js in upper and lower case only",
    ],
    ["an edit of nothing", [edit("src/z.js", "a\n", "b\n")], "there is no such file to edit"],
    [
      "an edit of a deleted file",
      [remove("src/a.js"), { ...edit("src/a.js", "a\n", "b\n") }],
      "there is no such file to edit",
    ],
    ["a rename of nothing", [rename("src/z.js", "src/y.js")], "there is no such file to rename"],
    [
      "a rename over a file",
      [rename("src/a.js", "src/b.js")],
      "src/b.js exists; a rename does not overwrite",
    ],
    [
      "a rename over a file that goes",
      [remove("src/b.js"), rename("src/a.js", "src/b.js")],
      "src/b.js exists; a rename does not overwrite",
    ],
    [
      "a rename by case",
      [rename("src/a.js", "src/A.js")],
      "src/A.js differs from src/a.js in upper and lower case only",
    ],
  ];

  it.each(table)("%s", async (_, changes, reason) => {
    expect(await reasons(tree, changes)).toEqual([reason]);
  });

  it("a file that exists although the pack said (new); an edit of it is fine", async () => {
    const newPaths = new Set([repoPath("src/a.js")]);

    expect(await reasons(tree, [write("src/a.js", "x\n")], { newPaths })).toEqual([
      "the file exists by now; it was to be created, so it may only be edited",
    ]);
    expect(await reasons(tree, [edit("src/a.js", "a\n", "x\n")], { newPaths })).toBe("ok");
  });

  it("a file that changed since the model saw it", async () => {
    const seen = new Map([[repoPath("src/a.js"), sha256("other\n")]]);

    expect(await reasons(tree, [edit("src/a.js", "a\n", "x\n")], { seen })).toBe("conflict");
    const same = new Map([[repoPath("src/a.js"), sha256("a\n")]]);
    expect(await reasons(tree, [edit("src/a.js", "a\n", "x\n")], { seen: same })).toBe("ok");
  });
});

describe("what may not be written", () => {
  const tree = { "src/a.js": "a\n", "test/a.test.js": "t\n", ".npmrc": "x\n" };

  it("is a protected path, unless the user named it", async () => {
    expect(await reasons(tree, [write(".npmrc", "y\n")])).toBe("out_of_scope");
    expect(await reasons(tree, [write(".npmrc", "y\n")], { named: new Set([".npmrc"]) })).toBe(
      "ok",
    );
    expect(await reasons(tree, [rename("src/a.js", ".git/hooks/x")])).toBe("out_of_scope");
  });

  it("is a test that must stay as it is, changed, deleted or moved", async () => {
    const readOnly = (path: string): string | undefined =>
      path.startsWith("test/") ? "it judges the change" : undefined;
    const changes = [
      write("test/a.test.js", "y\n"),
      edit("test/a.test.js", "t\n", "y\n"),
      remove("test/a.test.js"),
      rename("test/a.test.js", "src/b.js"),
      rename("src/a.js", "test/b.test.js"),
    ];

    for (const change of changes) {
      expect(await reasons(tree, [change], { readOnly })).toBe("tests_weakened");
    }
  });
});

describe("a file that is no text", () => {
  it.each([
    ["binary", Buffer.from([0x89, 0x50, 0, 1]), "the file is binary (it holds a NUL)"],
    ["Latin-1", Buffer.from("caf\xe9\n", "latin1"), "the file is not valid UTF-8"],
    ["UTF-16", Buffer.from("\uFEFFa\n", "utf16le"), "the file is binary (it holds a NUL)"],
  ])("is refused, whole or edited: %s", async (_, bytes, reason) => {
    expect(await reasons({ f: bytes }, [write("f", "x\n")])).toEqual([reason]);
    expect(await reasons({ f: bytes }, [edit("f", "a\n", "x\n")])).toEqual([reason]);
    expect(await reasons({ f: bytes }, [rename("f", "g")])).toBe("ok");
    expect(await reasons({ f: bytes }, [remove("f")])).toBe("ok");
  });

  it("is not made of text either", async () => {
    const reason = ["the new text holds a NUL or half a character"];

    expect(await reasons({}, [write("f", "a\0b\n")])).toEqual(reason);
    expect(await reasons({ f: "a\n" }, [edit("f", "a\n", "\ud800\n")])).toEqual(reason);
  });
});

describe("a whole file", () => {
  const after = async (before: string | undefined, content: string): Promise<string> => {
    const tree: Record<string, MemoryFile> = before === undefined ? {} : { f: before };
    const result = await plan(tree, [write("f", content)]);
    if (!result.ok) return result.failure.message;
    const [operation] = result.plan.operations;
    return operation && "after" in operation ? Buffer.from(operation.after).toString() : "";
  };

  it.each([
    ["line ends in CRLF", "a\r\nb\r\nc\r\n", "a\nx\nc\nd\n", "a\r\nx\r\nc\r\nd\r\n"],
    ["line ends line by line", "a\nb\r\nc\n", "a\nb\nx\n", "a\nb\r\nx\n"],
    ["line ends in CR", "a\rb\r", "a\nx\n", "a\rx\r"],
    ["no final line break", "a\nb", "a\nx\n", "a\nx"],
    ["a byte-order mark", "\uFEFFa\n", "b\n", "\uFEFFb\n"],
    ["a byte-order mark once", "\uFEFFa\n", "\uFEFFb\n", "\uFEFFb\n"],
    ["nothing of an empty file", "", "a\nb\n", "a\nb\n"],
  ])("keeps %s", async (_, before, content, expected) => {
    expect(await after(before, content)).toBe(expected);
  });

  it("that is new has LF, and never a byte-order mark", async () => {
    expect(await after(undefined, "\uFEFFa\nb\n")).toBe("a\nb\n");
    expect(await after(undefined, "")).toBe("");
  });

  it("is refused when it has lost half of its lines and twenty or more", async () => {
    expect(await after(lines(50), lines(24))).toContain("50 lines become 24");
    expect(await after(lines(50), lines(25))).toBe(lines(25));
    expect(await after(lines(20), lines(1))).toBe(lines(1));
    expect(await after(lines(40), lines(19))).toContain("40 lines become 19");
  });

  it("as edits may lose more", async () => {
    expect(await reasons({ f: lines(50) }, [edit("f", lines(49), "1\n")])).toBe("ok");
  });
});

describe("lines that stand for text left out", () => {
  it("are refused in whole files, new files and edits", async () => {
    const lazy = "a();\n// ... rest of the code ...\n";
    const reason = [
      'the line "// ... rest of the code ..." stands for text that was left out; write it out',
    ];

    expect(await reasons({ "f.js": "a();\nb();\n" }, [write("f.js", lazy)])).toEqual(reason);
    expect(await reasons({}, [write("f.js", lazy)])).toEqual(reason);
    expect(await reasons({ "f.js": "a();\n" }, [edit("f.js", "a();\n", lazy)])).toEqual(reason);
  });

  it("are fine where the old file has them", async () => {
    const old = "  // ... rest of the code ...\nb();\n";

    expect(await reasons({ "f.js": old }, [write("f.js", `${old}c();\n`)])).toBe("ok");
  });
});
