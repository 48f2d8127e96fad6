import { describe, expect, test } from "vitest";
import { readProjectFiles } from "../../src/config/index.ts";
import { openGit } from "../../src/lib/git.ts";
import { readFact, readFacts } from "../../src/memory/index.ts";
import { repository, temporaryFolder, writeFiles } from "../support/repository.ts";

const fact = "---\nconfidence: verified\n---\nThe port comes from PORT.\n";

/** The facts of a repository as its layer holds them. */
async function factsOf(
  root: string,
  trusted?: true,
): Promise<Awaited<ReturnType<typeof readFacts>>> {
  const { files } = await readProjectFiles(root);
  return readFacts({ files, ...(trusted && { trusted }) }, await openGit(root));
}

describe("facts of a repository", () => {
  test("are read and checked, and not used without trust", async () => {
    const { facts, problems } = await factsOf(repository({ ".kit/memory/ports.md": fact }));

    expect(problems).toEqual([]);
    expect(facts).toMatchObject([
      {
        file: ".kit/memory/ports.md",
        used: false,
        because: expect.stringContaining("not trusted") as string,
        record: { id: "ports", summary: "The port comes from PORT.", confidence: "verified" },
      },
    ]);
  });

  test("are used once the user trusts the layer, where git holds them as they stand", async () => {
    const root = repository({ ".kit/memory/ports.md": fact, ".kit/memory/changed.md": fact });
    writeFiles(root, { ".kit/memory/changed.md": `${fact}more\n` });

    const { facts } = await factsOf(root, true);

    expect(facts.map(({ file, used }) => [file, used])).toEqual([
      [".kit/memory/changed.md", false],
      [".kit/memory/ports.md", true],
    ]);
  });

  test("that are not committed as they stand say so", async () => {
    const root = repository({
      ".kit/memory/changed.md": fact,
      ".gitignore": ".kit/memory/ignored.md\n",
    });
    writeFiles(root, {
      ".kit/memory/changed.md": `${fact}more\n`,
      ".kit/memory/ignored.md": fact,
      ".kit/memory/new.md": fact,
    });

    const { facts } = await factsOf(root);

    expect(facts.map(({ because }) => because)).toEqual(
      Array.from({ length: 3 }, () => "it is not committed as it stands"),
    );
  });

  test("are none where there is no folder", async () => {
    expect(await factsOf(temporaryFolder())).toEqual({ facts: [], problems: [] });
  });

  test.each([
    ["", 1, "summary"],
    ["---\nauthority: promoted\n---\n", 1, "summary"],
    ["---\nauthority: promoted\nconfidence: sure\n---\ntext\n", 3, "confidence must be one of"],
    ["---\npermissions: all\n---\ntext\n", 2, "permissions is no key of a fact"],
    ["---\ntools: [shell]\n---\ntext\n", 2, "tools is no key of a fact"],
    ["---\nscope: [a]\n---\ntext\n", 2, "scope must be a text"],
    ["---\nscope: {\n---\ntext\n", 3, ""],
    ["x".repeat(4_001), 1, "4,000 are allowed"],
  ])("%j is refused at line %i: %s", (text, line, message) => {
    const { record, problems } = readFact(".kit/memory/a.md", Buffer.from(text));

    expect(record).toBeUndefined();
    expect(problems[0]).toMatchObject({
      place: { file: ".kit/memory/a.md", line },
      message: expect.stringContaining(message) as string,
    });
  });

  test("need no front matter", () => {
    expect(readFact(".kit/memory/a.md", Buffer.from("Use tabs.\n")).record).toMatchObject({
      id: "a",
      summary: "Use tabs.",
      scope: "project",
      lifecycle: "active",
    });
  });
});
