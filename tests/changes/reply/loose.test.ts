import { describe, expect, it } from "vitest";
import { outcomeOf, resultOf } from "../support/outcome.ts";

const code = "export const add = (a, b) => a + b;\n";
const old = { "src/math.js": "export const add = (a, b) => a - b;\n", "README.md": "# Old\n" };
const added = { ...old, "src/math.js": code };
const fenced = (caption: string, info = "js"): string =>
  `${caption}\n\`\`\`${info}\n${code}\`\`\`\n`;

describe("a whole file in a fence", () => {
  const captions = [
    "src/math.js",
    "`src/math.js`",
    "**src/math.js**",
    "**`src/math.js`**",
    "### src/math.js",
    "#### `src/math.js`:",
    "1. src/math.js",
    "2) **src/math.js** (new file)",
    "- `src/math.js`",
    "src/math.js:",
    "**src/math.js:**",
    "./src/math.js",
    ".\\src\\math.js",
    '"src/math.js"',
    "/home/someone/project/src/math.js",
    "FILE: src/math.js",
    "FILE: `src/math.js`",
    "FILE: **src/math.js**",
    "### FILE: src/math.js",
    "FILE: src/math.js:",
    "1. FILE: src/math.js (updated)",
    "FILE: src/math.js ",
    "**FILE:** `src/math.js`",
    "Filename: src/math.js",
    "Updated file: src/math.js",
    "src/math.js\n",
    "**1. src/math.js**",
    "### File 2: `src/math.js`",
    "### 1. `src/math.js`",
  ];

  it.each(captions)("is named by the line above it: %j", async (caption) => {
    expect(await resultOf(`Done.\n\n${fenced(caption)}`, old)).toEqual(added);
  });

  it.each([
    "js src/math.js",
    "src/math.js",
    "js:src/math.js",
    'js title="src/math.js"',
    "{.js file=src/math.js}",
  ])("is named in its info string: %s", async (info) => {
    expect(await resultOf(fenced("Here:", info), old)).toEqual(added);
  });

  it.each([
    "// src/math.js",
    "/* src/math.js */",
    "// File: ./src/math.js",
    "# src/math.js",
    "<!-- src/math.js -->",
  ])(
    "is named by a comment in its first line, which is content only if the old file has it: %s",
    async (comment) => {
      const reply = `Here:\n\`\`\`js\n${comment}\n${code}\`\`\`\n`;

      expect(await resultOf(reply, old)).toEqual(added);
      const withLine = { ...old, "src/math.js": `${comment}\n${old["src/math.js"]}` };
      expect(await resultOf(reply, withLine)).toEqual({
        ...old,
        "src/math.js": `${comment}\n${code}`,
      });
    },
  );

  it.each([
    "",
    "FILE:",
    "FILE: js",
    "FILE: ─────────────",
    "FILE: New file (empty file)",
    "Here is the updated content of `src/math.js`:",
    "In src/math.js we change this:",
    "math.js",
    "SRC/math.js",
    "path/to/file.js",
    "npm install src/math.js",
  ])("is prose when no line names it: %j", async (caption) => {
    expect(await resultOf(fenced(caption), old)).toBe("format");
  });

  it("under a label with a path outside the pack fails the whole reply", async () => {
    const reply = `${fenced("FILE: src/math.js")}${fenced("FILE: ../out.js")}`;

    expect(await resultOf(reply, old)).toBe("out_of_scope");
  });

  it("under a bare path outside the pack is prose", async () => {
    expect(await resultOf(`${fenced("src/math.js")}\n${fenced("src/example.js")}`, old)).toEqual(
      added,
    );
  });

  it("may be a new test outside the pack", async () => {
    const reply = `${fenced("src/math.js")}\n${fenced("test/math.test.js")}`;

    const result = await resultOf(reply, old, { tests: ["test/math.test.js"] });
    expect(result).toEqual({ ...added, "test/math.test.js": code });
  });

  it("keeps inner fences of a longer or of the same length", async () => {
    const text = "# Demo\n\n```sh\nnpm test\n```\n\n~~~\ntilde block\n~~~\n\nEnd of file.\n";

    for (const [open, close] of [
      ["````markdown", "````"],
      ["~~~~", "~~~~~ "],
      ["```markdown", "```"],
    ]) {
      const reply = `FILE: README.md\n${open}\n${text}${close}\n\n${fenced("FILE: src/math.js")}`;
      expect(await resultOf(reply, old)).toEqual({ "src/math.js": code, "README.md": text });
    }
  });

  it("is refused when bare inner fences allow two readings", async () => {
    const reply =
      "README.md\n```markdown\n# Demo\n\n```\nnpm test\n```\n\nThen read the log.\n```\n";

    expect(await resultOf(reply, old)).toBe("format");
  });

  it("of another language is refused, too, when text follows its end at once", async () => {
    const sample = '"""\n```\nadd(1, 2)\n```\n"""\n';

    expect(await resultOf(`src/math.js\n\`\`\`js\n${sample}\`\`\`\n`, old)).toBe("format");
    const clear = `${fenced("src/math.js")}\nThen run:\n\n\`\`\`\nnpm test\n\`\`\`\n`;
    expect(await resultOf(clear, old)).toEqual(added);
  });

  it("may hold the marks of other dresses", async () => {
    const text =
      "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n\nFILE: src/other.js\n```js\nnot a file block\n```\n# Title\n";
    const reply = `FILE: README.md\n\`\`\`\`md\n${text}\`\`\`\`\n`;

    expect(await resultOf(reply, old)).toEqual({ ...old, "README.md": text });
  });

  it("keeps entities and dollar signs as they stand", async () => {
    const text = "a &amp; b &lt; &#39; $& $1 $$ && c < d\n";

    expect(await resultOf(`README.md\n\`\`\`\n${text}\`\`\`\n`, old)).toEqual({
      ...old,
      "README.md": text,
    });
  });

  it("in a list loses the indentation of its fence", async () => {
    const reply = "1. src/math.js\n   ```js\n   if (x) {\n     y();\n   }\n   ```\n";

    expect(await resultOf(reply, old)).toEqual({ ...old, "src/math.js": "if (x) {\n  y();\n}\n" });
  });

  it("without a closing fence is a truncated reply", async () => {
    expect(await resultOf(`src/math.js\n\`\`\`js\n${code}`, old)).toBe("truncated_reply");
    expect(await resultOf(`${fenced("src/math.js")}\nREADME.md\n`, old)).toBe("truncated_reply");
    expect(await resultOf(`${fenced("src/math.js")}\nREADME.md\n\`\`\`md\n`, old)).toBe(
      "truncated_reply",
    );
  });

  it("between source tags counts like one between fences", async () => {
    expect(await resultOf(`src/math.js\n<source>js\n${code}</source>\n`, old)).toEqual(added);
  });

  it("may follow a fence that holds only its path", async () => {
    const reply = `\`\`\`\nsrc/math.js\n\`\`\`js\n${code}\`\`\`\n`;

    expect(await resultOf(reply, old)).toEqual(added);
  });

  it("is not left out silently when only a sentence names it", async () => {
    const reply = `${fenced("src/math.js")}\nThen change \`README.md\`:\n\`\`\`md\n# New\n\`\`\`\n`;

    expect(await resultOf(reply, old)).toBe("format");
  });
});

describe("what is no block", () => {
  it("is text that speaks about the format", async () => {
    const reply = [
      'I will answer with "FILE: path" and a fence:',
      "",
      "    FILE: src/example.js",
      "    ```js",
      "    ...",
      "    ```",
      "",
      "Inline: `FILE: src/inline.js`.",
      "",
      "> FILE: src/quoted.js",
      "> ```js",
      "> x",
      "> ```",
      "",
      fenced("FILE: src/math.js"),
      "That was FILE: src/math.js, as required.",
    ].join("\n");

    expect(await resultOf(reply, old)).toEqual(added);
  });

  it("is a list of files, a shell command and a sample", async () => {
    const reply =
      "Changed:\n\n- src/math.js\n- README.md\n\n```\nsrc/math.js\nREADME.md\n```\n\n```bash\n# src/math.js\nnpm test\n```\n\n```js\nadd(1, 2);\n```\n";

    expect(await resultOf(reply, old)).toBe("format");
  });

  it("is a draft inside reasoning, closed or only ended", async () => {
    const draft = fenced("FILE: src/math.js").replace("a + b", "0");

    expect(
      await resultOf(`<think>\n${draft}no.\n</think>\n${fenced("FILE: src/math.js")}`, old),
    ).toEqual(added);
    expect(
      await resultOf(`${draft}but no.\n</think>\n\n${fenced("FILE: src/math.js")}`, old),
    ).toEqual(added);
  });

  it("fails when the reasoning never ends", async () => {
    expect(await resultOf(`<think>\nplan\n\n${fenced("FILE: src/math.js")}`, old)).toBe(
      "truncated_reply",
    );
  });

  it("does not take reasoning tags inside a file for reasoning", async () => {
    const text =
      '// documents the <think> and </think> tags\nexport const t = "<think>";\n</think>\n';

    expect(await resultOf(`src/math.js\n\`\`\`js\n${text}\`\`\`\n`, old)).toEqual({
      ...old,
      "src/math.js": text,
    });
  });
});

describe("a reply in one outer fence", () => {
  it.each(["````markdown", "```markdown", "```"])("is read as without it: %s", async (open) => {
    const reply = `${open}\n${fenced("src/math.js", "")}${open.replace("markdown", "")}\n`;

    expect(await resultOf(reply, old)).toEqual(added);
  });

  it("that was cut off inside is truncated", async () => {
    const reply = `Here:\n\n\`\`\`\`markdown\nsrc/math.js\n\`\`\`js\n${code}\`\`\`\`\n`;

    expect(await resultOf(reply, old)).toBe("truncated_reply");
  });
});

describe("search and replace blocks", () => {
  const hunk = (search: string, replace: string): string =>
    `<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`;
  const change = hunk(old["src/math.js"], code);

  it.each([
    ["under the path and a fence", `src/math.js\n\`\`\`js\n${change}\`\`\`\n`],
    ["with the path inside the fence", `\`\`\`js\nsrc/math.js\n${change}\`\`\`\n`],
    ["with the path in a fence of its own", `\`\`\`js\nsrc/math.js\n\`\`\`js\n${change}\`\`\`\n`],
    ["without a fence", `src/math.js\n${change}`],
    ["with a blank line and a heading", `### \`src/math.js\`\n\n\`\`\`js\n${change}\`\`\`\n`],
    ["with the path in the info string", `\`\`\`js src/math.js\n${change}\`\`\`\n`],
    ["with words between", `src/math.js\n\nThis mends the sign.\n\n\`\`\`js\n${change}\`\`\`\n`],
    ["with the path in a comment", `\`\`\`js\n// src/math.js\n${change}\`\`\`\n`],
    ["in long fences", `src/math.js\n\`\`\`\`js\n${change}\`\`\`\`\n`],
    ["between source tags", `src/math.js\n<source>js\n${change}</source>\n`],
    [
      "with the marks of 2023",
      `src/math.js\n${change.replace("SEARCH", "ORIGINAL").replace("REPLACE", "UPDATED")}`,
    ],
    ["with a stray > at the mark", `src/math.js\n${change.replace("SEARCH", "SEARCH>")}`],
    [
      "with nine signs a mark",
      `src/math.js\n${change.replaceAll(/([<=>])\1{6}/g, "$1$1$1$1$1$1$1$1$1")}`,
    ],
    ["indented", `- src/math.js\n${change.replaceAll(/^/gm, "  ").trimEnd()}\n`],
    [
      "closed by ======= before the fence",
      `src/math.js\n\`\`\`\n${change.replace(">>>>>>> REPLACE", "=======")}\`\`\`\n`,
    ],
    [
      "with ======= doubled before REPLACE",
      `src/math.js\n${change.replace(">>>>", "=======\n>>>>")}`,
    ],
  ])("are read %s", async (_, reply) => {
    expect(await resultOf(reply, old)).toEqual(added);
  });

  it("without a path of their own belong to the file before", async () => {
    const tree = { "src/math.js": "one\ntwo\n" };
    const reply = `src/math.js\n\`\`\`\n${hunk("one\n", "1\n")}${hunk("two\n", "2\n")}\`\`\`\n\n\`\`\`\n${hunk("1\n2\n", "3\n")}\`\`\`\n`;

    expect(await resultOf(reply, tree)).toEqual({ "src/math.js": "3\n" });
  });

  it("without any path are a format failure", async () => {
    expect(await resultOf(`Change this:\n\`\`\`js\n${change}\`\`\`\n`, old)).toBe("format");
  });

  it("that name a path outside the pack fail the whole reply", async () => {
    const stray = `src/other.js\n\`\`\`js\n${hunk("a\n", "b\n")}\`\`\`\n`;

    expect(await resultOf(`src/math.js\n${change}\n${stray}`, old)).toBe("out_of_scope");
    expect(
      await resultOf(`src/math.js\n${change}\n${stray}`, old, { tracked: ["src/other.js"] }),
    ).toBe("needs_file");
  });

  it.each([
    ["no REPLACE", `src/math.js\n<<<<<<< SEARCH\nx\n=======\ny\n`, "truncated_reply"],
    ["no divider", `src/math.js\n<<<<<<< SEARCH\nx\n>>>>>>> REPLACE\n`, "format"],
    [
      "no SEARCH",
      `src/math.js\n${change}\nREADME.md\n\`\`\`\nx\n=======\ny\n>>>>>>> REPLACE\n\`\`\`\n`,
      "format",
    ],
    [
      "the next one inside",
      `src/math.js\n<<<<<<< SEARCH\nx\n=======\n<<<<<<< SEARCH\ny\n=======\nz\n>>>>>>> REPLACE\n`,
      "format",
    ],
  ])("with %s apply nothing", async (_, reply, kind) => {
    expect(await resultOf(reply, old)).toBe(kind);
  });

  it("create a file by an empty search", async () => {
    const result = await resultOf(`src/new.js\n${hunk("", code)}`, old, { create: ["src/new.js"] });

    expect(result).toEqual({ ...old, "src/new.js": code });
  });

  it("in a list create files without its indentation", async () => {
    const reply = `1. src/new.js\n${hunk("", "if (x) {\n  y();\n}\n").replaceAll(/^/gm, "   ").trimEnd()}\n`;

    const result = await resultOf(reply, old, { create: ["src/new.js"] });
    expect(result).toEqual({ ...old, "src/new.js": "if (x) {\n  y();\n}\n" });
  });

  it("take a look-alike of the divider for code when it makes the search text fit", async () => {
    const tree = { "doc.rst": "Title\n=======\nold\nend\n" };
    const reply = `doc.rst\n${hunk("Title\n=======\nold\n", "Title\n=======\nnew\n")}`;

    expect(await resultOf(reply, tree)).toBe("apply");
    const clear = `doc.rst\n${hunk("=======\nold\nend\n", "=======\nnew\nend\n")}`;
    expect(await resultOf(clear, tree)).toEqual({ "doc.rst": "Title\n=======\nnew\nend\n" });
  });

  it("do not end at marks that are indented further", async () => {
    const text = '"""\n    <<<<<<< SEARCH\n    x\n    ========\n    >>>>>>> REPLACE\n"""\n';
    const reply = `src/math.js\n${hunk(old["src/math.js"], text)}`;

    expect(await resultOf(reply, old)).toEqual({ ...old, "src/math.js": text });
  });

  it("said twice are meant once", async () => {
    const insert = `src/math.js\n${hunk(old["src/math.js"], `${old["src/math.js"]}more();\n`)}`;

    expect(await resultOf(`${insert}\n${insert}`, old)).toEqual({
      ...old,
      "src/math.js": `${old["src/math.js"]}more();\n`,
    });
  });

  it("make fences of the same reply samples", async () => {
    const sample = "Before:\n```js\n// src/math.js\nadd();\n```\n";

    expect(await resultOf(`${sample}\nsrc/math.js\n${change}`, old)).toEqual(added);
  });
});

describe("odd but legal paths", () => {
  it("are found as they stand", async () => {
    const tree = {
      "app/[id]/page.js": "1\n",
      "docs/my file (1).md": "1\n",
      "docs/日本語.md": "1\n",
      "-rf.txt": "1\n",
      "app/i/page.js": "other\n",
    };
    const reply = Object.keys(tree)
      .slice(0, 4)
      .map((path) => `FILE: ${path}\n\`\`\`\n2\n\`\`\`\n`)
      .join("");

    const outcome = await outcomeOf(reply, tree);
    expect(outcome).toEqual({
      ok: true,
      tree: {
        ...Object.fromEntries(Object.keys(tree).map((path) => [path, "2\n"])),
        "app/i/page.js": "other\n",
      },
    });
  });
});
