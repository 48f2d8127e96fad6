import { describe, expect, test } from "vitest";
import {
  checkPackFile,
  checkPackReply,
  normalizePack,
  packToJson,
  renderPack,
} from "../../src/context-pack/index.ts";
import type { PackFile } from "../../src/contracts/index.ts";
import { pack, reply } from "./support.ts";

const facts = {
  root: "/home/u/shop",
  files: ["src/a.ts", "src/b.ts", "a:12", "README.md"],
  task: "Fix it\nand more",
};

const filesOf = (...relevantFiles: PackFile[]) => normalizePack(pack({ relevantFiles }), facts);

describe("paths", () => {
  test.each<[string, string]>([
    ["/home/u/shop/src/a.ts", "src/a.ts"],
    ["file:///home/u/shop/src/a.ts", "src/a.ts"],
    ["./src//a.ts", "src/a.ts"],
    ["src\\a.ts", "src/a.ts"],
    ["src/x/../a.ts", "src/a.ts"],
    ["shop/src/a.ts", "src/a.ts"],
  ])("%s is read as %s", (from, to) => {
    const { pack: found, report } = filesOf({ path: from });

    expect(found.relevantFiles).toEqual([{ path: to }]);
    expect(report.rewritten).toEqual([{ from, to }]);
  });

  test.each([
    "/etc/passwd",
    "/home/u/shopping/a",
    "~/.ssh/id",
    "~u/x",
    "../other/a.ts",
    "src/../../x",
    "C:\\repo\\a.ts",
    "\\\\srv\\a",
    "https://example.org/a.ts",
  ])("%s is outside: left out, told, and noted as a constraint", (path) => {
    const { pack: found, report } = filesOf({ path: "src/a.ts" }, { path });

    expect(found.relevantFiles).toEqual([{ path: "src/a.ts" }]);
    expect(report.external).toEqual([path]);
    expect(found.constraints).toEqual([
      { text: "unknown: 1 path(s) outside the repository were left out" },
    ]);
  });

  test("a file that does not exist is left out unless it is (new)", () => {
    const { pack: found, report } = filesOf(
      { path: "src/gone.ts" },
      { path: "src/n.ts", create: true },
    );

    expect(found.relevantFiles).toEqual([{ path: "src/n.ts", create: true }]);
    expect(report.dropped).toEqual(["src/gone.ts"]);
  });

  test("a (new) file that exists may only be edited, a (new) folder is none", () => {
    const { pack: found, report } = filesOf(
      { path: "src/a.ts", create: true },
      { path: "src/", create: true },
    );

    expect(found.relevantFiles).toEqual([{ path: "src/a.ts" }]);
    expect([report.madeExisting, report.dropped]).toEqual([["src/a.ts"], ["src/"]]);
  });

  test("entries of one file are merged, a whole file swallows its ranges", () => {
    const { pack: found, report } = filesOf(
      { path: "src/a.ts", lines: ["40-50"], reason: "x" },
      { path: "./src/a.ts", lines: ["12-12", "13-20"], reason: "y" },
      { path: "src/b.ts", lines: ["1-2"] },
      { path: "src/b.ts" },
    );

    expect(found.relevantFiles).toEqual([
      { path: "src/a.ts", reason: "x; y", lines: ["12-20", "40-50"] },
      { path: "src/b.ts" },
    ]);
    expect(report.merged).toEqual(["src/a.ts", "src/b.ts"]);
    expect(renderPack(found, 1)).toContain(
      "- `src/a.ts` (lines 12-20) — x; y\n- `src/a.ts` (lines 40-50)",
    );
  });

  test("snippets keep to files that exist", () => {
    const { pack: found, report } = normalizePack(
      pack({
        relevantSnippets: [
          { path: "/home/u/shop/src/a.ts", content: "x" },
          { path: "src/a.ts", content: "x" },
          { path: "gone.ts", content: "y" },
          { path: "/etc/passwd", content: "z" },
        ],
      }),
      facts,
    );

    expect(found.relevantSnippets).toEqual([{ path: "src/a.ts", content: "x" }]);
    expect([report.droppedSnippets, report.external]).toEqual([["gone.ts"], ["/etc/passwd"]]);
  });

  test("where nobody says what exists, nothing is dropped for it", () => {
    const { pack: found } = normalizePack(
      pack({ relevantFiles: [{ path: "./x" }, { path: "y", create: true }] }),
      { root: "/r" },
    );

    expect(found.relevantFiles).toEqual([{ path: "x" }, { path: "y", create: true }]);
  });
});

describe("texts and defaults", () => {
  test("free text is made relative, what lies beside the repository is not touched", () => {
    const { pack: found } = normalizePack(
      pack({
        goal: "See /home/u/shop/src/a.ts:3, /home/u/shop, /home/u/shopping/x, file:///home/u/shop/b and /mnt/home/u/shop/c",
      }),
      facts,
    );

    expect(found.goal).toBe("See src/a.ts:3, ., /home/u/shopping/x, b and /mnt/home/u/shop/c");
  });

  test("what is missing is filled in and told", () => {
    const { pack: found, report } = normalizePack(
      { relevantFiles: [{ path: "src/a.ts" }] },
      { ...facts, knownCommands: ["npm test"] },
    );

    expect(packToJson(found)).toEqual({
      task: "Fix it",
      goal: "Fix it",
      constraints: [],
      relevant_files: [{ path: "src/a.ts" }],
      test_commands: ["npm test"],
      expected_output: expect.stringContaining("File blocks"),
      version: 1,
    });
    expect(report.filled).toEqual(["task", "goal", "test_commands", "expected_output"]);
  });

  test("NUL and a name that is none do not make a reply invalid", () => {
    const checked = checkPackReply(reply({ goal: "a\0b", capability: "Strong Code" }), {
      root: "/r",
    });

    expect(checked).toMatchObject({ ok: true, pack: { goal: "a\uFFFDb" } });
  });
});

describe("commands", () => {
  test("are known when they equal a known one, else proposed", () => {
    const { pack: found, report } = normalizePack(
      pack({ testCommands: ["$ npm  test", "rm -rf /", "none", "npm  test # again"] }),
      { ...facts, knownCommands: ["npm test"] },
    );

    expect(found.testCommands).toEqual(["npm  test", "rm -rf /"]);
    expect(report.commands).toEqual({ known: ["npm  test"], proposed: ["rm -rf /"] });
    expect(report.lines).toContain("command proposed, not run: rm -rf /");
  });
});

describe("checking in one go", () => {
  test("a file may hold absolute paths of the repository, and nothing else that is wrong", () => {
    const text = reply({ relevant_files: "- `/home/u/shop/src/a.ts`" });

    expect(checkPackFile("p.md", text, facts)).toMatchObject({
      ok: true,
      pack: { relevantFiles: [{ path: "src/a.ts" }] },
    });
    expect(checkPackFile("p.md", text)).toMatchObject({ ok: false, errors: [{ line: 13 }] });
    expect(checkPackFile("p.md", reply({ goal: "" }), facts)).toMatchObject({
      ok: false,
      errors: [{ field: "goal" }],
    });
  });

  test("a JSON file too", () => {
    const json = JSON.stringify(
      packToJson(pack({ relevantFiles: [{ path: "/home/u/shop/src/a.ts" }] })),
    );

    expect(checkPackFile("p.json", json, facts)).toMatchObject({ ok: true });
  });

  test("a reply of which no file is left is invalid", () => {
    expect(checkPackReply(reply({ relevant_files: "- gone.ts" }), facts)).toMatchObject({
      ok: false,
      errors: [{ field: "relevant_files" }],
      report: { dropped: ["gone.ts"] },
    });
  });

  test("the report holds what the reader forgave and what normalizing changed", () => {
    const { report } = checkPackReply(reply({ relevant_files: "- ./src/a.ts", notes: "x" }), facts);

    expect(report.lines).toEqual([
      'line 18: unknown section "notes" dropped',
      "path ./src/a.ts read as src/a.ts",
    ]);
  });
});
