import { expect, test } from "vitest";
import { repository, temporaryFolder, writeFiles } from "../../support/repository.ts";
import { runKit } from "../support.ts";
import { documentOf } from "./support.ts";

const pack = `# Context Pack

## task

Mend add

## goal

add adds

## constraints

- none known

## relevant_files

- src/add.js — holds add

## expected_output

The tests pass
`;

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  writeFiles(folder, files);
  return folder;
}

test("pack check says that a pack is one", async () => {
  const cwd = folderWith({ "pack.md": pack });

  expect(await runKit(["pack", "check", "pack.md"], { cwd })).toEqual({
    exitCode: 0,
    stderr: "",
    stdout: "pack.md: a valid Context Pack, version 1, 1 file\n",
  });
});

test("pack check names every error with its line, and ends with 1", async () => {
  const broken = pack.replace("## goal\n\nadd adds\n\n", "");
  const cwd = folderWith({ "pack.md": broken });

  const ran = await runKit(["pack", "check", "pack.md"], { cwd });
  const { document } = await documentOf("pack-check", ["pack", "check", "pack.md"], { cwd });

  expect(ran).toMatchObject({ exitCode: 1, stderr: "" });
  expect(ran.stdout).toMatch(/^pack\.md.*: goal: is missing\n$/);
  expect(document).toMatchObject({ ok: false, pack: null, markdown: null });
});

test("pack check reads stdin and gives the pack as JSON and Markdown", async () => {
  const { exitCode, document } = await documentOf("pack-check", ["pack", "check", "-"], {
    stdin: pack,
  });

  expect(exitCode).toBe(0);
  expect(document).toMatchObject({ ok: true, pack: { task: "Mend add" }, report: [], errors: [] });
});

test("pack check --lenient forgives a model's dress and says what it forgave", async () => {
  const reply = `Sure, here it is:\n\n\`\`\`markdown\n${pack.replace("## goal", "### Goal:")}\`\`\`\n`;
  const cwd = folderWith({ "reply.md": reply });

  const strict = await runKit(["pack", "check", "reply.md"], { cwd });
  const { exitCode, document } = await documentOf(
    "pack-check",
    ["pack", "check", "--lenient", "reply.md"],
    { cwd },
  );

  expect(strict.exitCode).toBe(1);
  expect(exitCode).toBe(0);
  expect(document).toMatchObject({ ok: true, pack: { goal: "add adds" } });
});

test("pack render writes the canonical Markdown, from JSON too", async () => {
  const cwd = folderWith({ "pack.md": pack });
  const { document } = await documentOf("pack-check", ["pack", "check", "pack.md"], { cwd });
  writeFiles(cwd, { "pack.json": JSON.stringify(document["pack"]) });

  const fromMarkdown = await runKit(["pack", "render", "pack.md"], { cwd });
  const fromJson = await runKit(["pack", "render", "pack.json"], { cwd });
  const rendered = await documentOf("pack-render", ["pack", "render", "pack.md"], { cwd });

  expect(fromMarkdown).toEqual({ exitCode: 0, stderr: "", stdout: document["markdown"] });
  expect(fromJson).toEqual(fromMarkdown);
  expect(rendered.document).toMatchObject({ ok: true, markdown: document["markdown"] });
});

test("pack render refuses what is no pack, with the way to see why", async () => {
  const cwd = folderWith({ "pack.md": "# Something else\n" });

  const { exitCode, stderr } = await runKit(["pack", "render", "pack.md"], { cwd });

  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^kit: pack\.md is no Context Pack: /);
  expect(stderr).toMatch(/next: See every error with its line: kit pack check pack\.md\n$/);
});

test("a file that is not there is a usage error", async () => {
  const { exitCode, stderr } = await runKit(["pack", "check", "no.md"], { cwd: temporaryFolder() });

  expect(exitCode).toBe(2);
  expect(stderr).toContain("next: Give the path of a readable file, or - for stdin\n");
});

test("--repo holds the paths against a repository and says what it left out", async () => {
  const gone = pack.replace(
    "- src/add.js — holds add",
    "- src/add.js — holds add\n- src/gone.js — x",
  );
  const repo = repository({ "src/add.js": "" });
  const argv = ["pack", "check", "--lenient", "-"];

  const alone = await documentOf("pack-check", argv, { stdin: gone });
  const held = await documentOf("pack-check", [...argv, "--repo", repo], { stdin: gone });

  expect(alone.document).toMatchObject({ pack: { relevant_files: [{}, {}] }, report: [] });
  expect(held.document).toMatchObject({
    pack: { relevant_files: [{ path: "src/add.js" }] },
    report: ["file that does not exist left out: src/gone.js"],
  });
});

test("pack render --as writes another version", async () => {
  const { stdout } = await runKit(["pack", "render", "--as", "2", "-"], { stdin: pack });

  expect(await runKit(["pack", "check", "-"], { stdin: stdout })).toMatchObject({
    stdout: "-: a valid Context Pack, version 2, 1 file\n",
  });
});
