import { describe, expect, it } from "vitest";
import { replyInstructions, type ReplyInstructions } from "../../src/changes/index.ts";
import { resultOf } from "./support/outcome.ts";

const request: ReplyInstructions = {
  tag: "k3f9",
  format: "auto",
  files: [
    { path: "src/small.js", lines: 40, create: false },
    { path: "src/big.js", lines: 900, create: false },
    { path: "src/new.js", lines: 0, create: true },
  ],
  wholeFileLines: 200,
};

describe("the instructions for a reply", () => {
  it("ask for small and new files whole and for large ones as edits", () => {
    const text = replyInstructions(request);

    expect(text).toContain("- src/small.js: whole, as FILE");
    expect(text).toContain("- src/new.js (new): whole, as FILE");
    expect(text).toContain("- src/big.js: as EDIT");
  });

  it("ask for one format alone when the binding says so, but for new files whole", () => {
    const whole = replyInstructions({ ...request, format: "whole" });
    const edit = replyInstructions({ ...request, format: "edit" });

    expect(whole).not.toContain("EDIT");
    expect(edit).toContain("- src/small.js: as EDIT");
    expect(edit).toContain("- src/new.js (new): whole, as FILE");
  });

  it("show an example that would be read, under a path that no pack has", async () => {
    const text = replyInstructions(request);
    const example = text.slice(
      text.indexOf("=== FILE:"),
      text.lastIndexOf("=== END === k3f9") + 17,
    );
    const tree = { "example/greet.py": 'def greet():\n    print("helo")\n' };

    const result = await resultOf(example, tree, { create: ["example/notes.txt"], tag: "k3f9" });
    expect(result).toEqual({
      "example/greet.py": 'def greet():\n    print("hello")\n',
      "example/notes.txt": "The greeting is spelled right.\n",
    });
  });

  it("are short", () => {
    expect(replyInstructions(request).length).toBeLessThan(2_000);
  });
});
