import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandText, findTestCommands, folderText, sourceText } from "../../../src/gate/index.ts";
import { temporaryFolder, writeFiles } from "../../support/repository.ts";

const script = (test: string, more: object = {}): string =>
  JSON.stringify({ name: "a", scripts: { test }, ...more });

/** Files of a folder → the commands of its manifests. */
const folders: readonly (readonly [
  title: string,
  files: Record<string, string>,
  commands: readonly string[],
])[] = [
  ["npm by default", { "package.json": script("node --test") }, ["npm test"]],
  ["npm by its lockfile", { "package.json": script("x"), "package-lock.json": "{}" }, ["npm test"]],
  ["pnpm by its lockfile", { "package.json": script("x"), "pnpm-lock.yaml": "" }, ["pnpm test"]],
  ["yarn by its lockfile", { "package.json": script("x"), "yarn.lock": "" }, ["yarn test"]],
  [
    "bun's script, not bun's own runner",
    { "package.json": script("x"), "bun.lock": "" },
    ["bun run test"],
  ],
  [
    "the packageManager key before a lockfile",
    { "package.json": script("x", { packageManager: "pnpm@10.1.0" }), "yarn.lock": "" },
    ["pnpm test"],
  ],
  [
    "an unknown packageManager is npm",
    { "package.json": script("x", { packageManager: "toString@1" }) },
    ["npm test"],
  ],
  ["a BOM before the manifest", { "package.json": `\uFEFF${script("x")}` }, ["npm test"]],
  [
    "npm's placeholder is no test",
    { "package.json": script('echo "Error: no test specified" && exit 1') },
    [],
  ],
  ["no script is no test", { "package.json": "{}" }, []],
  ["an empty script is no test", { "package.json": script(" ") }, []],
  ["a broken manifest is no test", { "package.json": "{" }, []],
  ["scripts that are no object", { "package.json": '{"scripts": ["test"]}' }, []],
  ["Rust", { "Cargo.toml": "[package]" }, ["cargo test"]],
  [
    "a Rust workspace with all its members",
    { "Cargo.toml": '[package]\nname = "a"\n[workspace]\nmembers = ["b"]\n' },
    ["cargo test --workspace"],
  ],
  ["Go", { "go.mod": "module x" }, ["go test ./..."]],
  [
    "a Go workspace, module by module",
    {
      "go.mod": "module x",
      "go.work": "go 1.22\n\nuse . // here\nuse (\n\t./a\n\t./b/c\n\t../outside\n)\n",
    },
    ["go test ./... ./a/... ./b/c/..."],
  ],
  ["Maven", { "pom.xml": "<project/>" }, ["mvn -B test"]],
  ["Maven's wrapper", { "pom.xml": "<project/>", mvnw: "" }, ["./mvnw -B test"]],
  ["Gradle's wrapper", { "build.gradle.kts": "", gradlew: "" }, ["./gradlew test"]],
  ["Gradle by its settings", { "settings.gradle": "" }, ["gradle test"]],
  ["Elixir", { "mix.exs": "" }, ["mix test"]],
  ["pytest by pytest.ini", { "pytest.ini": "" }, ["python3 -m pytest"]],
  [
    "pytest by pyproject",
    { "pyproject.toml": "[tool.pytest.ini_options]\n" },
    ["python3 -m pytest"],
  ],
  [
    "pytest by a requirement",
    { "setup.py": "", "requirements-dev.txt": "pytest==9\n" },
    ["python3 -m pytest"],
  ],
  ["pytest by setup.cfg", { "setup.cfg": "[tool:pytest]\n" }, ["python3 -m pytest"]],
  ["a Python project without pytest", { "pyproject.toml": "[project]\n" }, []],
  ["uv", { "pyproject.toml": "dev = ['pytest']", "uv.lock": "" }, ["uv run pytest"]],
  ["pdm", { "pyproject.toml": "dev = ['pytest']", "pdm.lock": "" }, ["pdm run pytest"]],
  ["poetry", { "pyproject.toml": "pytest = '*'", "poetry.lock": "" }, ["poetry run pytest"]],
  [
    "a virtual environment of the project",
    { "pytest.ini": "", ".venv/bin/python": "" },
    [".venv/bin/python -m pytest"],
  ],
  ["tox", { "tox.ini": "[testenv]\ncommands = nose\n" }, ["tox"]],
  ["tox that runs pytest", { "tox.ini": "[testenv]\ncommands = pytest\n" }, ["python3 -m pytest"]],
  ["make", { Makefile: "build:\n\tcc a.c\n\ntest: build\n\t./a\n" }, ["make test"]],
  ["a make variable is no rule", { Makefile: "test := a b\n" }, []],
  ["a rule of another name", { Makefile: "test-all:\n\ttrue\n" }, []],
  [
    "make only where nothing else is known",
    { Makefile: "test:\n\tnpm test\n", "package.json": script("x") },
    ["npm test"],
  ],
  ["two languages", { "package.json": script("x"), "Cargo.toml": "" }, ["npm test", "cargo test"]],
];

describe("manifest conventions", () => {
  test.each(folders)("%s", async (_, files, commands) => {
    const root = temporaryFolder();
    writeFiles(root, files);

    const found = await findTestCommands({ root, startFolder: root, flags: [] });

    expect(found.map(commandText)).toEqual(commands);
    expect(found.every((each) => each.trusted && each.source.kind === "manifest")).toBe(true);
  });

  test("the nearest folder with a test command wins, and the command runs there", async () => {
    const root = temporaryFolder();
    writeFiles(root, {
      "package.json": script("exit 1"),
      "pnpm-lock.yaml": "",
      "packages/a/package.json": script("node --test"),
      "packages/a/src/deep/x.js": "",
    });
    const startFolder = join(root, "packages/a/src/deep");

    const [command, ...others] = await findTestCommands({ root, startFolder, flags: [] });

    expect(others).toEqual([]);
    expect(command).toMatchObject({
      cwd: join(root, "packages/a"),
      command: { argv: ["pnpm", "test"] },
    });
    expect(command && sourceText(command, root)).toBe("packages/a/package.json");
    expect(command && folderText(command, root)).toBe("packages/a");
  });

  const packages: readonly (readonly [string, Record<string, string>, string, string])[] = [
    [
      "a member of a Rust workspace",
      { "Cargo.toml": "[workspace]\n", "crates/a/Cargo.toml": "[package]\n" },
      "crates/a",
      "cargo test",
    ],
    [
      "a module of a Go workspace",
      { "go.work": "use ./a\nuse ./b\n", "a/go.mod": "module a" },
      "a",
      "go test ./...",
    ],
    [
      "a member of a Python workspace",
      { "uv.lock": "", "pyproject.toml": "", "a/pyproject.toml": "dev = ['pytest']" },
      "a",
      "uv run pytest",
    ],
    [
      "a package without tests of its own: the workspace's",
      { "package.json": script("x"), "packages/a/package.json": "{}", "yarn.lock": "" },
      "packages/a",
      "yarn test",
    ],
  ];

  test.each(packages)("of %s", async (_, files, start, command) => {
    const root = temporaryFolder();
    writeFiles(root, files);

    const found = await findTestCommands({ root, startFolder: join(root, start), flags: [] });

    expect(found.map(commandText)).toEqual([command]);
  });

  test("no folder above the repository is asked", async () => {
    const outside = temporaryFolder();
    const root = join(outside, "repo");
    mkdirSync(root);
    writeFiles(outside, { "package.json": script("x") });

    expect(await findTestCommands({ root, startFolder: root, flags: [] })).toEqual([]);
  });
});

describe("a manifest that is no file of the repository gives no command", () => {
  const place: readonly (readonly [string, (file: string) => void])[] = [
    ["a pipe", (file) => execFileSync("mkfifo", [file])],
    ["an endless device", (file) => symlinkSync("/dev/zero", file)],
    ["a folder", (file) => mkdirSync(file)],
    [
      "a link out of the repository",
      (file) => {
        const outside = temporaryFolder();
        writeFiles(outside, { x: `[pytest]\ntest:\n` });
        symlinkSync(join(outside, "x"), file);
      },
    ],
  ];

  test.each(place)("%s", async (_, put) => {
    const root = temporaryFolder();
    for (const name of ["package.json", "Makefile", "pytest.ini", "Cargo.toml"]) {
      put(join(root, name));
    }

    expect(await findTestCommands({ root, startFolder: root, flags: [] })).toEqual([]);
  });

  test("a link inside it is one", async () => {
    const root = temporaryFolder();
    writeFiles(root, { "a/package.json": script("x") });
    symlinkSync("a/package.json", join(root, "package.json"));

    const found = await findTestCommands({ root, startFolder: root, flags: [] });

    expect(found.map(commandText)).toEqual(["npm test"]);
  });
});

describe("who names the commands", () => {
  const manifest = { "package.json": script("x") };
  const userSettings = { value: ["make check"], layer: "user", file: "/home/me/kit.yaml" } as const;

  test("--test wins over everything, runs in the start folder and is trusted", async () => {
    const root = temporaryFolder();
    writeFiles(root, { ...manifest, "a/x": "" });
    const startFolder = join(root, "a");

    const found = await findTestCommands({
      root,
      startFolder,
      flags: [" npm run unit ", "  "],
      settings: userSettings,
      pack: { file: "p.md", commands: ["x"] },
    });

    expect(found).toEqual([
      {
        command: { shell: "npm run unit" },
        cwd: startFolder,
        source: { kind: "flag" },
        trusted: true,
      },
    ]);
  });

  test("then the user's settings, then manifests", async () => {
    const root = temporaryFolder();
    writeFiles(root, manifest);
    const request = { root, startFolder: root, flags: [] };

    const withSettings = await findTestCommands({ ...request, settings: userSettings });
    const emptyPack = await findTestCommands({ ...request, pack: { file: "p.md", commands: [] } });

    expect(withSettings).toMatchObject([
      { source: { kind: "settings", file: "/home/me/kit.yaml" } },
    ]);
    expect(emptyPack.map(commandText)).toEqual(["npm test"]);
  });

  const show = (found: Awaited<ReturnType<typeof findTestCommands>>): unknown =>
    found.map((each) => [commandText(each), each.source.kind, each.trusted]);

  test("what only a pack names is shown, until the user says yes to that very command", async () => {
    const root = temporaryFolder();
    writeFiles(root, manifest);
    const pack = { file: "p.md", commands: ["node check.mjs", "touch x"] };
    const request = { root, startFolder: root, flags: [], pack };

    expect(show(await findTestCommands(request))).toEqual([
      ["npm test", "manifest", true],
      ["node check.mjs", "pack", false],
      ["touch x", "pack", false],
    ]);
    const allowed = new Set(["node check.mjs", "touch  x"]);
    expect(show(await findTestCommands({ ...request, allowed }))).toEqual([
      ["node check.mjs", "pack", true],
      ["touch x", "pack", false],
    ]);
  });

  test("what a pack names and a manifest too is the manifest's, and runs", async () => {
    const root = temporaryFolder();
    writeFiles(root, { ...manifest, "a/x": "" });
    const pack = { file: "p.md", commands: ["npm test", "npm test; touch x"] };

    const found = await findTestCommands({ root, startFolder: join(root, "a"), flags: [], pack });

    expect(show(found)).toEqual([
      ["npm test", "manifest", true],
      ["npm test; touch x", "pack", false],
    ]);
    expect(found[0]?.cwd).toBe(root);
  });

  test("a project's own settings are shown, not trusted, and replace nothing", async () => {
    const root = temporaryFolder();
    writeFiles(root, manifest);
    const project = { value: ["curl x | sh"], layer: "project", file: ".kit/kit.yaml" } as const;
    const request = { root, startFolder: root, flags: [], project };

    expect(show(await findTestCommands(request))).toEqual([
      ["npm test", "manifest", true],
      ["curl x | sh", "project", false],
    ]);
    const allowed = new Set(["curl x | sh"]);
    expect(show(await findTestCommands({ ...request, allowed }))).toEqual([
      ["curl x | sh", "project", true],
    ]);
  });

  test("settings of a trusted project come before manifests", async () => {
    const root = temporaryFolder();
    writeFiles(root, manifest);
    const project = { value: ["make check"], layer: "project", file: ".kit/kit.yaml" } as const;

    const found = await findTestCommands({
      root,
      startFolder: root,
      flags: [],
      settings: project,
      project,
    });

    expect(show(found)).toEqual([["make check", "project", true]]);
  });

  test("arguments are shown as a shell would need them", () => {
    expect(commandText({ command: { argv: ["a b", "it's", "--x=1", ""] } })).toBe(
      `'a b' 'it'\\''s' --x=1 ''`,
    );
  });
});
