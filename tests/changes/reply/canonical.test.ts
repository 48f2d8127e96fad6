import { describe, expect, it } from "vitest";
import { parseReply } from "../../../src/changes/index.ts";
import { outcomeOf, resultOf } from "../support/outcome.ts";
import { replyScope } from "../support/scope.ts";

const old = { "src/a.js": "old\n", "src/big.ts": "one\ntwo\nthree\n" };

describe("canonical blocks", () => {
  const table: readonly (readonly [string, string, Record<string, string> | string])[] = [
    [
      "FILE replaces an existing file",
      "=== FILE: src/a.js ===\nnew\n=== END ===\n",
      { ...old, "src/a.js": "new\n" },
    ],
    [
      "EDIT changes lines in place",
      "=== EDIT: src/big.ts ===\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n=== END ===\n",
      { ...old, "src/big.ts": "one\n2\nthree\n" },
    ],
    [
      "several EDIT blocks of one file apply in order",
      "=== EDIT: src/big.ts ===\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n=== END ===\n" +
        "=== EDIT: src/big.ts ===\n<<<<<<< SEARCH\n2\nthree\n=======\n2\n3\n>>>>>>> REPLACE\n=== END ===\n",
      { ...old, "src/big.ts": "one\n2\n3\n" },
    ],
    ["DELETE removes a file", "=== DELETE: src/a.js ===\n", { "src/big.ts": old["src/big.ts"] }],
    [
      "an END after DELETE is forgiven",
      "=== DELETE: src/a.js ===\n\n=== END ===\n",
      { "src/big.ts": old["src/big.ts"] },
    ],
    [
      "RENAME moves a file",
      "=== RENAME: src/a.js -> src/b.js ===\n",
      { "src/big.ts": old["src/big.ts"], "src/b.js": "old\n" },
    ],
    [
      "RENAME and an EDIT of the new path make one move",
      "=== RENAME: src/a.js → src/b.js ===\n=== EDIT: src/b.js ===\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n=== END ===\n",
      { "src/big.ts": old["src/big.ts"], "src/b.js": "new\n" },
    ],
    [
      "a header followed by its end is an empty file",
      "=== FILE: src/a.js ===\n=== END ===\n",
      { ...old, "src/a.js": "" },
    ],
    [
      "blanks, bold, backticks, ./ and \\ around a path are forgiven, and case",
      "  **=== file: `.\\src\\a.js` ===**  \nnew\n=== End ===\n",
      { ...old, "src/a.js": "new\n" },
    ],
    [
      "an absolute path inside the repository is cleaned",
      "=== FILE: /home/someone/project/src/a.js ===\nnew\n=== END ===\n",
      { ...old, "src/a.js": "new\n" },
    ],
    [
      "a reply in CRLF with a byte-order mark leaves an LF file LF",
      "\uFEFF=== FILE: src/a.js ===\r\nnew\r\n=== END ===\r\n",
      { ...old, "src/a.js": "new\n" },
    ],
    [
      "the same FILE twice is one",
      "=== FILE: src/a.js ===\nnew\n=== END ===\n=== FILE: src/a.js ===\nnew\n=== END ===\n",
      { ...old, "src/a.js": "new\n" },
    ],
    [
      "a fence around the whole block is dropped",
      "=== FILE: src/a.js ===\n\n```js\nnew\n```\n=== END ===\n",
      { ...old, "src/a.js": "new\n" },
    ],
    [
      "a fence around the hunks of an EDIT is dropped",
      "=== EDIT: src/a.js ===\n```\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```\n=== END ===\n",
      { ...old, "src/a.js": "new\n" },
    ],
    [
      "so are fences around each hunk",
      "=== EDIT: src/big.ts ===\n```ts\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n```\n\n```ts\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n```\n=== END ===\n",
      { ...old, "src/big.ts": "1\n2\nthree\n" },
    ],
    [
      "an outer fence around all blocks is prose",
      "```\n=== FILE: src/a.js ===\nnew\n=== END ===\n```\n",
      { ...old, "src/a.js": "new\n" },
    ],
    [
      "other dresses beside canonical blocks do not count",
      "src/big.ts\n```ts\nx\n```\n\n=== FILE: src/a.js ===\nnew\n=== END ===\n",
      { ...old, "src/a.js": "new\n" },
    ],
    [
      "a draft in a reasoning block does not count",
      "<think>\n=== FILE: src/a.js ===\ndraft\n=== END ===\n</think>\n=== FILE: src/a.js ===\nnew\n=== END ===\n",
      { ...old, "src/a.js": "new\n" },
    ],
    [
      "an end of reasoning without a beginning makes all before it reasoning",
      "=== FILE: src/a.js ===\nhalf a draft\n</think>\n=== FILE: src/a.js ===\nnew\n=== END ===\n",
      { ...old, "src/a.js": "new\n" },
    ],
    [
      "only canonical blocks outside the reasoning make a reply canonical",
      "<think>\n=== FILE: src/a.js ===\ndraft\n=== END ===\n</think>\nsrc/a.js\n```js\nnew\n```\n",
      { ...old, "src/a.js": "new\n" },
    ],
    [
      "a block without its end is a truncated reply",
      "=== FILE: src/a.js ===\nnew\n",
      "truncated_reply",
    ],
    [
      "so is one that ends inside a later block",
      "=== FILE: src/a.js ===\nnew\n=== END ===\n=== DELETE: src/big.ts ===\n=== FILE: src/a.js ===\n",
      "truncated_reply",
    ],
    [
      "a header inside an open block is a format failure",
      "=== FILE: src/a.js ===\nnew\n=== FILE: src/big.ts ===\nx\n=== END ===\n",
      "format",
    ],
    [
      "an END that closes nothing shows that a block was cut",
      "=== FILE: src/a.js ===\nnew\n=== END ===\nmore\n=== END ===\n",
      "format",
    ],
    [
      "two different FILEs of one path contradict each other",
      "=== FILE: src/a.js ===\n1\n=== END ===\n=== FILE: src/a.js ===\n2\n=== END ===\n",
      "format",
    ],
    [
      "FILE and EDIT of one path contradict each other",
      "=== FILE: src/a.js ===\n1\n=== END ===\n=== EDIT: src/a.js ===\n<<<<<<< SEARCH\nold\n=======\nx\n>>>>>>> REPLACE\n=== END ===\n",
      "format",
    ],
    [
      "an EDIT without hunks is a format failure",
      "=== EDIT: src/a.js ===\nnew\n=== END ===\n",
      "format",
    ],
    [
      "a header that is not closed loses no block silently",
      "=== FILE: src/a.js\nnew\n=== END ===\n=== DELETE: src/big.ts ===\n",
      "format",
    ],
    [
      "fences that can be read in two ways are refused",
      "=== FILE: src/a.js ===\n```js\nnew\n```\nand then\n```sh\nx\n```\n=== END ===\n",
      "format",
    ],
    [
      "half of a fence at an edge of a block is refused",
      "=== FILE: src/a.js ===\n```js\nnew\n=== END ===\n```\n",
      "format",
    ],
    [
      "a header without its colon loses no block silently",
      "=== FILE src/a.js ===\nnew\n=== END ===\n=== DELETE: src/big.ts ===\n",
      "format",
    ],
    [
      "the note (new) behind a path is forgiven",
      "=== FILE: src/b.js (new) ===\nb\n=== END ===\n",
      { ...old, "src/b.js": "b\n" },
    ],
    [
      "a path outside the pack fails the whole reply",
      "=== FILE: src/a.js ===\nnew\n=== END ===\n=== FILE: package.json ===\n{}\n=== END ===\n",
      "out_of_scope",
    ],
    [
      "a path outside the repository, too",
      "=== FILE: ../a.js ===\nx\n=== END ===\n",
      "out_of_scope",
    ],
    [
      "so does touching a tracked file outside the pack",
      "=== DELETE: src/c.js ===\n",
      "needs_file",
    ],
    ["NEED asks for a tracked file", "=== NEED: src/c.js ===\n", "needs_file"],
    [
      "NEED of a file that is nowhere is out of scope",
      "=== NEED: src/nowhere.js ===\n",
      "out_of_scope",
    ],
    [
      "a protected file is out of scope also when it is tracked",
      "=== FILE: .github/workflows/ci.yml ===\nx\n=== END ===\n",
      "out_of_scope",
    ],
    [
      "a reply that changes nothing says so",
      "=== FILE: src/a.js ===\nold\n=== END ===\n",
      "no_changes",
    ],
    ["a reply that only needs what it has, too", "=== NEED: src/a.js ===\n", "no_changes"],
  ];

  it.each(table)("%s", async (_, reply, expected) => {
    const wish = {
      create: ["src/b.js"],
      tracked: ["src/c.js", "package-lock.json", ".github/workflows/ci.yml"],
    };

    expect(await resultOf(reply, old, wish)).toEqual(expected);
  });
});

describe("tags", () => {
  it("make untagged markers prose outside a block and content inside", async () => {
    const reply = [
      "=== FILE: src/a.js ===",
      "an example",
      "=== END ===",
      "=== FILE: src/a.js === k3f9",
      "=== FILE: src/big.ts ===",
      "=== END ===",
      "=== END === other",
      "=== END === K3F9",
    ].join("\n");

    const expected = "=== FILE: src/big.ts ===\n=== END ===\n=== END === other\n";
    expect(await resultOf(reply, old)).toEqual({ ...old, "src/a.js": expected });
  });

  it("tell the tag asked for from others", async () => {
    const reply =
      "=== FILE: src/a.js === zzzz\nforeign\n=== END === zzzz\n=== FILE: src/a.js === k3f9\nnew\n=== END === k3f9\n";
    const outcome = await outcomeOf(reply, old, { tag: "k3f9" });

    expect(outcome).toMatchObject({ ok: false, failure: { kind: "format" } });
  });

  it("are needed at the end of a tagged block", async () => {
    const reply = "=== FILE: src/a.js === k3f9\nnew\n=== END ===\n";

    expect(await resultOf(reply, old, { tag: "k3f9" })).toBe("truncated_reply");
  });

  it("may be another than asked for when no marker has the right one", async () => {
    const reply = "=== FILE: src/a.js === kf93\nnew\n=== END === kf93\n";

    expect(await resultOf(reply, old, { tag: "k3f9" })).toEqual({ ...old, "src/a.js": "new\n" });
  });

  it("on hunk marks make untagged ones content", async () => {
    const reply =
      "=== EDIT: src/a.js === t\n<<<<<<< SEARCH t\nold\n======= t\n=======\n>>>>>>> REPLACE\n>>>>>>> REPLACE t\n=== END === t\n";

    expect(await resultOf(reply, old)).toEqual({
      ...old,
      "src/a.js": "=======\n>>>>>>> REPLACE\n",
    });
  });
});

describe("a failure", () => {
  it("names every broken block by line, path and reason, and keeps what could be read", () => {
    const reply =
      "=== EDIT: src/a.js ===\nno hunk\n=== END ===\n=== DELETE: src/big.ts ===\n=== FILE: src/a.js\n";
    const parsed = parseReply(reply, replyScope({ files: Object.keys(old) }));

    expect(parsed).toMatchObject({
      ok: false,
      failure: {
        kind: "format",
        blocks: [
          { line: 1, path: "src/a.js", reason: "the EDIT block holds no SEARCH block" },
          { line: 2, path: "src/a.js", reason: "text outside a SEARCH block" },
          { line: 5, path: "src/a.js", reason: "the header is no complete marker" },
        ],
      },
      readable: [{ kind: "delete", path: "src/big.ts" }],
    });
  });

  it("tells a blank reply from one without blocks", async () => {
    expect(await resultOf(" \n\n", old)).toBe("empty_reply");
    expect(await resultOf("I could not find the bug.\n", old)).toBe("format");
  });
});
