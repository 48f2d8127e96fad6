import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { appendToJournal, journaledRun } from "../../../src/memory/index.ts";
import { escalatedRun } from "../../memory/support.ts";
import { repository, temporaryFolder, writeFiles } from "../../support/repository.ts";
import { runKit } from "../support.ts";
import { documentOf } from "./support.ts";

const fact = "---\nconfidence: verified\n---\nThe port comes from PORT.\n";

/** A repository with one run in its journal and one fact. */
async function withHistory(): Promise<string> {
  const cwd = repository({ ".kit/memory/ports.md": fact });
  const runs = join(cwd, ".kit", "runs");
  mkdirSync(runs, { recursive: true });
  await appendToJournal(join(runs, "journal.jsonl"), journaledRun(escalatedRun("r1"), []));
  return cwd;
}

describe("kit context get", () => {
  test("shows what a role is given, and which facts take no part", async () => {
    const cwd = await withHistory();

    const { exitCode, stdout, stderr } = await runKit(
      ["context", "get", "An empty cart is not free", "--role", "repro"],
      { cwd },
    );

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/^repro: 2 of 2 items, \d+ of 8,000 tokens\n/);
    expect(stdout).toContain("  episode_r1 (episode, evidence, verified, 2026-11-30)");
    expect(stdout).toContain("  journal_r1-lesson (knowledge, evidence, probable, 2026-11-30)");
    expect(stdout).toContain(".kit/memory/ports.md: the repository's .kit is not trusted");
  });

  test("gives the facts of a trusted repository, until one of them changes", async () => {
    const cwd = await withHistory();
    const env = { ...process.env, KIT_STATE_DIR: join(temporaryFolder(), "state") };
    const get = (): Promise<{ stdout: string }> =>
      runKit(["context", "get", "Which port?", "--role", "implementer"], { cwd, env });
    await runKit(["trust", "--yes"], { cwd, env });

    const trusted = await get();
    writeFiles(cwd, { ".kit/memory/ports.md": `${fact}Always 80.\n` });
    const changed = await get();

    expect(trusted.stdout).toContain("ports (knowledge, instruction, verified");
    expect(trusted.stdout).not.toContain("not trusted");
    expect(changed.stdout).not.toContain("(knowledge, instruction");
    expect(changed.stdout).toContain(".kit/memory/ports.md: ");
  });

  test("gives packet and audit as a document, within the budget asked for", async () => {
    const cwd = await withHistory();

    const { document } = await documentOf(
      "context-get",
      ["context", "get", "--budget", "512", "--kinds", "episode,evidence", "--role", "critic"],
      { cwd },
    );

    expect(document).toMatchObject({
      audit: { budget: 512, selected: ["episode_r1", "journal_r1-error-1"], request: { task: "" } },
      facts: [{ id: "ports", used: false }],
      unreadable: 0,
    });
  });

  test("of a repository without a history says that there is none", async () => {
    const { exitCode, stdout } = await runKit(["context", "get"], { cwd: repository({}) });

    expect(exitCode).toBe(0);
    expect(stdout).toContain("no context records exist for this project yet");
  });

  test.each([
    ["--budget", "511"],
    ["--budget", "200001"],
    ["--kinds", "gossip"],
  ])("refuses %s %s", async (option, value) => {
    const { exitCode } = await runKit(["context", "get", option, value], { cwd: repository({}) });

    expect(exitCode).toBe(2);
  });
});

test("kit context explain says where an item is from", async () => {
  const cwd = await withHistory();

  const { stdout } = await runKit(["context", "explain", "journal_r1-lesson"], { cwd });
  const { document } = await documentOf("context-explain", ["context", "explain", "episode_r1"], {
    cwd,
  });
  const unknown = await runKit(["context", "explain", "nobody"], { cwd });

  expect(stdout).toContain("from: journal:r1-lesson\n");
  expect(stdout).toContain("evidence: run:r1, attempts/coder-1, attempts/coder-2\n");
  expect(document).toMatchObject({
    item: { id: "episode_r1" },
    sources: [{ sourceRef: "run:r1" }],
  });
  expect(unknown).toMatchObject({ exitCode: 2 });
});

test("kit context recall finds words, the best first, and ends with 1 where there is nothing", async () => {
  const cwd = await withHistory();

  const { document } = await documentOf(
    "context-recall",
    ["context", "recall", "NaN", "assertion"],
    {
      cwd,
    },
  );
  const nothing = await runKit(["context", "recall", "submarine"], { cwd });

  expect(document).toMatchObject({ items: [{ id: "journal_r1-error-1" }] });
  expect(nothing).toEqual({
    exitCode: 1,
    stdout: "Nothing in the journal speaks of that.\n",
    stderr: "",
  });
});
