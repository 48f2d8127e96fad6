import { expect, test } from "vitest";
import { repository, snapshot, temporaryFolder, writeFiles } from "../../support/repository.ts";
import { runKit } from "../support.ts";
import { documentOf, twoBindings, userConfiguration } from "./support.ts";

interface BadInput {
  readonly argv: readonly string[];
  readonly exitCode?: number;
  /** A part of the message, and of the next step. */
  readonly says: string;
  readonly next: string;
  readonly config?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

const withTests = { "package.json": '{ "scripts": { "test": "node --test" } }\n' };
const anyNext = "";

const rows: readonly (readonly [string, BadInput])[] = [
  ["no task", { argv: ["run"], says: "no task", next: "kit run --task" }],
  ["an empty task", { argv: ["run", "--task", "  "], says: "task is empty", next: anyNext }],
  [
    "an option as the task",
    { argv: ["run", "--task", "--quiet"], says: "is an option", next: "kit run --task" },
  ],
  ["words without quotes", { argv: ["run", "mend", "add"], says: "arguments", next: "in quotes" }],
  [
    "an empty test command",
    { argv: ["run", "x", "--test", ""], says: '--test "": a command is needed', next: "kit run" },
  ],
  ["two tasks", { argv: ["run", "x", "--task", "y"], says: "more than once", next: anyNext }],
  [
    "a task file that is not there",
    {
      argv: ["run", "--task-file", "no.md"],
      says: "no.md cannot be read: there is no such",
      next: "readable file",
    },
  ],
  [
    "a folder that is none",
    { argv: ["run", "x", "--repo", "nowhere"], says: "nowhere", next: "--repo FOLDER" },
  ],
  [
    "an unknown agent",
    { argv: ["run", "x", "--agent", "codr"], says: '"codr"', next: "coder, reviewer, scout" },
  ],
  [
    "an unknown capability",
    { argv: ["run", "x", "--capability", "magic"], says: '"magic"', next: "strong-code" },
  ],
  [
    "a model flag without a model",
    { argv: ["run", "x", "--model", "strong"], says: '"strong"', next: "BACKEND=PROVIDER/ID" },
  ],
  [
    "an unknown backend",
    { argv: ["run", "x", "--model", "strog=a/b"], says: '"strog"', next: "strong" },
  ],
  [
    "broken YAML, with its place",
    {
      argv: ["run", "x"],
      config: { "models.local.yaml": "version: 1\nbackends:\n  cheap: {\n" },
      says: "models.local.yaml:",
      next: anyNext,
    },
  ],
  [
    "a credential in a binding",
    {
      argv: ["run", "x"],
      config: {
        "models.local.yaml":
          "version: 1\nbackends:\n  cheap: { provider: a, model: b, api_key: sk-12345 }\n",
      },
      says: "models.local.yaml:3:",
      next: anyNext,
    },
  ],
  [
    "old JSON beside new YAML",
    {
      argv: ["run", "x"],
      config: { "models.local.yaml": twoBindings, "models.local.json": '{ "version": 1 }' },
      says: "models.local.json",
      next: anyNext,
    },
  ],
  [
    "a pack that is none",
    {
      argv: ["run", "x", "--pack", "pack.md"],
      files: { "pack.md": "# Notes\n" },
      says: "pack.md:1: ",
      next: "kit pack check pack.md",
    },
  ],
  [
    "no test command",
    {
      argv: ["run", "x"],
      config: { "models.local.yaml": twoBindings },
      files: { "package.json": "{}" },
      says: "No test command",
      next: "--allow-untested",
    },
  ],
  ["no model", { argv: ["run", "x"], exitCode: 3, says: "No model serves", next: "kit init" }],
  [
    "a count that is none",
    { argv: ["run", "x", "--max-attempts", "0"], says: "whole number from 1", next: anyNext },
  ],
  [
    "a time that is none",
    {
      argv: ["run", "x", "--timeout", "soon"],
      says: '--timeout "soon": a time like 90s',
      next: "kit run --help",
    },
  ],
  ["a reply that is not there", { argv: ["apply", "no.md"], says: "no.md", next: "readable file" }],
  ["a run that is not there", { argv: ["undo", "k3f9"], says: "no runs", next: "kit run" }],
];

test.each(rows)(
  "%s: one message with the next step, one document with --json, and no trace",
  async (_title, row) => {
    const cwd = repository({ ...withTests, ...row.files });
    const { folder, env } = userConfiguration(row.config ?? {});
    const before = [snapshot(cwd, []), snapshot(folder)];

    const ran = await runKit(row.argv, { cwd, env });
    const asked = await documentOf("error", row.argv, { cwd, env });

    expect(ran.exitCode).toBe(row.exitCode ?? 2);
    expect(ran.stdout).toBe("");
    expect(ran.stderr).toMatch(/^kit: /);
    expect(ran.stderr).toContain(row.says);
    expect(ran.stderr).toContain(`next: `);
    expect(ran.stderr).toContain(row.next);
    expect(asked).toMatchObject({ exitCode: ran.exitCode, stderr: "" });
    expect([snapshot(cwd, []), snapshot(folder)]).toEqual(before);
  },
);

test("a dry run without anything bound explains every skip, and is in its schema", async () => {
  const cwd = repository(withTests);

  const { exitCode, document } = await documentOf("run-dry-run", ["run", "--dry-run", "x"], {
    cwd,
  });

  expect(exitCode).toBe(0);
  expect(document).toMatchObject({
    routes: { coder: { candidates: [], skipped: [{ reason: "placeholder" }, {}, {}] } },
    testCommands: [{ command: "npm test", runs: true }],
  });
});

test("a folder without git and a repository without commits can be looked at", async () => {
  const folder = temporaryFolder();
  writeFiles(folder, withTests);

  const { exitCode } = await runKit(["run", "--dry-run", "x"], { cwd: folder });

  expect(exitCode).toBe(0);
});

const reply = "=== FILE: a.js ===\nexport const a = 2;\n=== END ===\n";

test("apply answers in its schema, for what it writes and for what it refuses", async () => {
  const cwd = repository({ "a.js": "export const a = 1;\n" });
  writeFiles(cwd, { "reply.md": reply });

  const refused = await documentOf("apply", ["apply", "reply.md", "--allow", "b.js"], { cwd });
  const shown = await documentOf("apply", ["apply", "reply.md", "--allow", "a.js", "--dry-run"], {
    cwd,
  });

  expect(refused).toMatchObject({ exitCode: 1, document: { ok: false, changes: [] } });
  expect(shown).toMatchObject({ exitCode: 0, document: { ok: true } });
  expect(snapshot(cwd, [".git"]).get("a.js")).toBe(
    `file 644 ${Buffer.from("export const a = 1;\n").toString("base64")}`,
  );
});
