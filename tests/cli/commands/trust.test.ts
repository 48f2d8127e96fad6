import { readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { documentSchemas } from "../../../src/cli/schemas/index.ts";
import { repository, temporaryFolder } from "../../support/repository.ts";
import { type Ran, runKit, type RunKitOptions } from "../support.ts";

const hostile = {
  ".kit/kit.yaml":
    "language: German\ntest_commands: make check\nadapters: { pi: { program: /tmp/x } }\n",
  "package.json": '{"scripts": {"test": "node --test"}}',
};

interface Place {
  readonly root: string;
  readonly state: string;
  readonly kit: (argv: readonly string[], options?: RunKitOptions) => Promise<Ran>;
}

/** A repository, and a user whose state is their own. */
function place(files: Record<string, string> = hostile): Place {
  const root = repository(files);
  const state = join(temporaryFolder(), "state");
  const env = { ...process.env, KIT_STATE_DIR: state };
  return { root, state, kit: (argv, options) => runKit(argv, { cwd: root, env, ...options }) };
}

const read = (ran: Ran): Record<string, unknown> =>
  JSON.parse(ran.stdout) as Record<string, unknown>;

describe("kit trust", () => {
  test("shows files, commands with their source and what is refused, and asks nobody without a terminal", async () => {
    const { kit, state } = place();

    const { exitCode, stdout } = await kit(["trust"]);

    expect(exitCode).toBe(1);
    expect(stdout).toContain("  .kit/kit.yaml  ");
    expect(stdout).toContain("test commands of .kit/kit.yaml:2\n  make check\n");
    expect(stdout).toContain("npm test (package.json): node --test");
    expect(stdout).toMatch(/kit\.yaml:3:1: warning: adapters: a project may not name programs/);
    expect(stdout).toContain("kit trust --yes");
    expect(() => readdirSync(state)).toThrow("ENOENT");
  });

  test.each([
    ["y", 0, "trusted"],
    ["yes", 0, "trusted"],
    ["", 1, "new"],
    ["n", 1, "new"],
    ["yep", 1, "new"],
  ])("takes the answer %j of a person", async (answer, code, state) => {
    const { kit } = place();

    const { exitCode, stderr } = await kit(["trust"], { answers: [answer] });

    expect(exitCode).toBe(code);
    expect(stderr).toBe("Trust this? [y/N] ");
    expect(read(await kit(["trust", "--json"]))).toMatchObject({ state });
  });

  test("takes the end of the input for a no", async () => {
    expect((await place().kit(["trust"], { answers: [] })).exitCode).toBe(1);
  });

  test("with --yes has the layer used, within its limits, until it changes", async () => {
    const { kit, root } = place();
    expect((await kit(["trust", "--yes"])).exitCode).toBe(0);

    const trusted = read(await kit(["run", "--dry-run", "x", "--json"]));
    writeFileSync(join(root, ".kit/kit.yaml"), `${hostile[".kit/kit.yaml"]}max_calls: 3\n`);
    const changed = read(await kit(["run", "--dry-run", "x", "--json"]));

    expect(trusted).toMatchObject({
      projectLayer: { state: "trusted" },
      settings: {
        language: { value: "German", layer: "project", line: 1 },
        piProgram: { value: null },
      },
      testCommands: [{ command: "make check", source: ".kit/kit.yaml", runs: true }],
    });
    expect(changed).toMatchObject({
      projectLayer: { state: "changed", changes: ["kit.yaml changed"] },
      settings: { language: { value: "English" } },
      testCommands: [
        { command: "npm test", runs: true },
        { command: "make check", runs: false },
      ],
    });
    expect(read(await kit(["trust", "--json"]))).toMatchObject({ given: false, state: "changed" });
  });

  test("binds the trust to the path: the same files elsewhere are nobody's", async () => {
    const { kit, root } = place();
    await kit(["trust", "--yes"]);
    const moved = join(temporaryFolder(), "moved");
    renameSync(root, moved);

    expect(read(await kit(["trust", "--json"], { cwd: moved }))).toMatchObject({ state: "new" });
    expect(read(await kit(["trust", "--list", "--json"], { cwd: moved }))).toMatchObject({
      repositories: [{ root, state: "gone" }],
    });
    expect((await kit(["trust", "--revoke", root], { cwd: moved })).exitCode).toBe(0);
  });

  test("--list says what is trusted and --revoke takes it back", async () => {
    const { kit, root } = place();
    await kit(["trust", "--yes", "--command", "pytest -q"]);

    expect((await kit(["trust", "--list"])).stdout).toMatch(
      /  trusted, since \d{4}-\d\d-\d\d\n  command pytest -q\n  package\.json: node --test\n$/,
    );
    expect((await kit(["trust", "--revoke"])).exitCode).toBe(0);
    expect((await kit(["trust", "--revoke"])).exitCode).toBe(1);
    expect((await kit(["trust", "--list"])).stdout).toBe("No repository is trusted.\n");
    expect(read(await kit(["trust", root, "--json"]))).toMatchObject({
      state: "new",
      commands: [],
    });
  });

  test("a manifest's script that changed since it was trusted does not run", async () => {
    const { kit, root } = place({ "package.json": hostile["package.json"] });
    await kit(["trust", "--yes"]);
    writeFileSync(join(root, "package.json"), '{"scripts": {"test": "node evil.js"}}');

    const dry = read(await kit(["run", "--dry-run", "x", "--json"]));

    expect(dry).toMatchObject({
      testCommands: [{ command: "npm test", runs: false }],
      warnings: [expect.stringContaining("not what you trusted (node --test): it is node evil.js")],
    });
  });

  test("is what a run asks for on a terminal, and a yes to a pack's command is remembered", async () => {
    const { kit } = place();
    const pack =
      "# Context Pack\n\n## task\nx\n\n## goal\ny\n\n## constraints\n- z\n\n## relevant_files\n- `package.json`\n\n## test_commands\n- `node check.mjs`\n- `rm -rf .`\n\n## expected_output\nEdits.\n";
    const file = join(temporaryFolder(), "pack.md");
    writeFileSync(file, pack);

    // No model is bound, so that the run ends before anything is called.
    const { exitCode, stderr } = await kit(["run", "--pack", file], { answers: ["y", "y", "n"] });

    expect(exitCode).toBe(3);
    expect(stderr).toContain("names a command:\n  node check.mjs\n");
    expect(read(await kit(["trust", "--json"]))).toMatchObject({
      state: "trusted",
      commands: ["node check.mjs"],
    });
    const dry = read(await kit(["run", "--dry-run", "--pack", file, "--json"]));
    expect(dry).toMatchObject({
      testCommands: [
        { command: "node check.mjs", runs: true },
        { command: "rm -rf .", runs: false },
      ],
    });
  });

  test("has nothing to do where nothing asks for it", async () => {
    const { exitCode, stdout } = await place({}).kit(["trust"]);

    expect(exitCode).toBe(0);
    expect(stdout).toContain("There is nothing new to trust.");
  });

  test("refuses what leads out of the repository, and --yes does not help", async () => {
    const { kit, root } = place();
    rmSync(join(root, ".kit/kit.yaml"));
    writeFileSync(join(root, "kit.yaml"), "x".repeat(300_000));
    renameSync(join(root, "kit.yaml"), join(root, ".kit/kit.yaml"));

    const { exitCode, stdout } = await kit(["trust", "--yes", "--json"]);

    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      state: "refused",
      reasons: [".kit/kit.yaml: it is larger than 256 KiB"],
    });
  });

  test("trusts nothing where something is refused, and says only that", async () => {
    const { kit, root } = place();
    rmSync(join(root, ".kit/kit.yaml"));
    symlinkSync("/etc/hostname", join(root, ".kit/kit.yaml"));

    const { exitCode, stdout } = await kit(["trust", "--yes", "--command", "true"]);

    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/\nNot trusted: what is refused above has to go first\.\n$/);
    expect(stdout).not.toContain("Trusted.");
    expect((await kit(["trust", "--list"])).stdout).toBe("No repository is trusted.\n");
  });

  test("--list names what is trusted where there is no .kit", async () => {
    const { kit } = place({ "package.json": hostile["package.json"] });
    await kit(["trust", "--yes"]);

    expect((await kit(["trust", "--list"])).stdout).toMatch(
      /  this alone:\n  package\.json: node --test\n$/,
    );
  });

  test("says for a folder that is not there how to give one", async () => {
    const { exitCode, stderr } = await place({}).kit(["trust", "nowhere"]);

    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/\nnext: Give the folder of a repository: kit trust FOLDER\n$/);
  });

  test("keeps nothing in the repository itself", async () => {
    const { kit, root } = place();
    const env = { ...process.env, KIT_STATE_DIR: join(root, "state") };

    const { exitCode, stderr } = await kit(["trust", "--yes"], { env });

    expect(exitCode).toBe(5);
    expect(stderr).toContain("KIT_STATE_DIR");
  });

  test("prints documents that hold to their schemas", async () => {
    const { kit } = place();
    const answers = [
      [documentSchemas.trust, await kit(["trust", "--yes", "--json"])],
      [documentSchemas["trust-list"], await kit(["trust", "--list", "--json"])],
      [documentSchemas["run-dry-run"], await kit(["run", "--dry-run", "x", "--json"])],
      [documentSchemas["trust-revoke"], await kit(["trust", "--revoke", "--json"])],
    ] as const;

    for (const [schema, ran] of answers) expect(() => schema.parse(read(ran))).not.toThrow();
  });
});
