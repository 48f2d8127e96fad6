import { describe, expect, test } from "vitest";
import { temporaryFolder, writeFiles } from "../../support/repository.ts";
import { runKit } from "../support.ts";
import { documentOf } from "./support.ts";

const whole = "export const add = (a, b) => a - b;\n".repeat(60);
const pack = `# Context Pack

## task
Mend add

## goal
add adds

## constraints
-

## relevant_files
- \`src/add.js\` — holds add

## relevant_snippets
### \`src/add.js\`
\`\`\`js
${whole}\`\`\`

## expected_output
Blocks.
`;

function folder(): string {
  const cwd = temporaryFolder();
  writeFiles(cwd, { "pack.md": pack, "src/add.js": whole });
  return cwd;
}

describe("kit pack shrink", () => {
  test("cuts by rule to the profile, and says each cut", async () => {
    const { exitCode, stdout, stderr } = await runKit(
      ["pack", "shrink", "pack.md", "--profile", "simple"],
      { cwd: folder() },
    );

    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: "snippet of src/add.js left out\n",
    });
    expect(stdout).not.toContain("a - b");
    expect(stdout).toContain("- snippet of src/add.js left out");
  });

  test("adds what a parent hands over", async () => {
    const { document } = await documentOf(
      "pack-shrink",
      [
        "pack",
        "shrink",
        "pack.md",
        "--profile=complex",
        "--decision=YAML because users know it",
        "--decision=No cache — it was slower",
        "--progress=parser is done",
        "--must=stay quick",
      ],
      { cwd: folder() },
    );

    expect(document).toMatchObject({ ok: true, maxTokens: 1_500, cuts: [] });
    const { markdown } = document;
    expect(markdown).toContain("- YAML — because users know it");
    expect(markdown).toContain("- No cache — because it was slower");
    expect(markdown).toContain("- parser is done");
    expect(markdown).toContain("- MUST: stay quick");
  });

  test("hands over no whole files, where it can tell", async () => {
    const args = ["pack", "shrink", "pack.md", "--profile", "handoff"];
    const cwd = folder();

    const blind = await runKit(args, { cwd });
    const seeing = await runKit([...args, "--repo", "."], { cwd });

    expect(blind.stdout).toContain("a - b");
    expect(seeing.stdout).not.toContain("a - b");
    expect(seeing.stderr).toContain("1 snippet(s) that are whole files left out");
  });

  test("ends with 1 where what may never be cut is too much, and still prints the pack", async () => {
    const cwd = folder();
    writeFiles(cwd, { "long.md": pack.replace("add adds", "add adds ".repeat(800).trim()) });

    const { exitCode, stdout, stderr } = await runKit(
      ["pack", "shrink", "long.md", "--profile", "simple"],
      { cwd },
    );

    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^# Context Pack\n/);
    expect(stderr).toContain("what is left may never be cut");
  });

  test.each([
    ["a decision without a reason", ["--profile", "simple", "--decision", "YAML"]],
    ["no profile", []],
    ["an unknown profile", ["--profile", "huge"]],
    ["an empty requirement", ["--profile", "simple", "--must", " "]],
  ])("refuses %s", async (_, args) => {
    const { exitCode } = await runKit(["pack", "shrink", "pack.md", ...args], { cwd: folder() });

    expect(exitCode).toBe(2);
  });
});
