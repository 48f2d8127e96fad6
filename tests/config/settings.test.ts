import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadSettings, overrideSettings, type LoadedSettings } from "../../src/config/index.ts";
import { projectMay, settingRows } from "../../src/config/settings-shape.ts";
import type { LayerFolder } from "../../src/contracts/index.ts";
import { temporaryFolder, writeFiles } from "../support/repository.ts";

function layersOf(files: Record<string, string>): readonly LayerFolder[] {
  const root = temporaryFolder();
  writeFiles(root, files);
  return (["shipped", "user", "project"] as const).map((layer) => ({
    layer,
    folder: join(root, layer),
  }));
}

/** The settings of a user's `kit.yaml`. */
function settingsOf(text: string, name = "kit.yaml"): Promise<LoadedSettings> {
  return loadSettings({ layers: layersOf({ [`user/${name}`]: text }) });
}

function valuesOf({ settings }: LoadedSettings): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).map(([name, { value }]) => [name, value]));
}

const builtIn = {
  language: "English",
  testCommands: [],
  baselineWaitMs: 60_000,
  gateTimeoutMs: 1_200_000,
  gateIdleTimeoutMs: undefined,
  sandbox: "auto",
  testNetwork: false,
  testWritable: [],
  passEnvironment: [],
  repairs: "last",
  review: "off",
  worktreeLink: ["node_modules", ".venv"],
  worktreeCopy: [],
  worktreeSetup: [],
  routingOrder: "fixed",
  maxAttempts: 3,
  maxCalls: 12,
  callIdleTimeoutMs: 300_000,
  callTimeoutMs: 1_800_000,
  wholeFileLines: 200,
  piProgram: undefined,
};

const everything = `language: Deutsch
test_commands:
  - npm test
  - npm run lint
gate:
  baseline_wait: 0
  timeout: 5 min
  idle_timeout: 90
  network: true
  writable: [~/.gradle, /srv/cache]
  pass_environment: [GITHUB_TOKEN]
sandbox: on
repairs: off
review: on
worktree: { link: [vendor], copy: [.env.test], setup: [npm ci] }
routing: { order: suggested }
max_attempts: 5
max_calls: 20
call: { idle_timeout: 90s, timeout: 600 }
edit: { whole_file_lines: 0 }
adapters:
  pi:
    program: /opt/pi
`;

describe("settings", () => {
  test("are built in where no file says more", async () => {
    const loaded = await loadSettings({ layers: layersOf({}) });

    expect(valuesOf(loaded)).toEqual(builtIn);
    expect(loaded.settings.maxCalls).toEqual({ value: 12, layer: "shipped" });
    expect(loaded).toMatchObject({ problems: [], sources: [] });
  });

  test("can all be set in kit.yaml", async () => {
    const loaded = await settingsOf(everything);

    expect(loaded.problems).toEqual([]);
    expect(valuesOf(loaded)).toEqual({
      language: "Deutsch",
      testCommands: ["npm test", "npm run lint"],
      baselineWaitMs: 0,
      gateTimeoutMs: 300_000,
      gateIdleTimeoutMs: 90_000,
      sandbox: "on",
      testNetwork: true,
      testWritable: ["~/.gradle", "/srv/cache"],
      passEnvironment: ["GITHUB_TOKEN"],
      repairs: "off",
      review: "on",
      worktreeLink: ["vendor"],
      worktreeCopy: [".env.test"],
      worktreeSetup: ["npm ci"],
      routingOrder: "suggested",
      maxAttempts: 5,
      maxCalls: 20,
      callIdleTimeoutMs: 90_000,
      callTimeoutMs: 600_000,
      wholeFileLines: 0,
      piProgram: "/opt/pi",
    });
  });

  test("say the file and line they come from", async () => {
    const { settings, sources } = await settingsOf(everything);

    const [source] = sources;
    expect(source).toMatchObject({ kind: "settings", layer: "user", used: true });
    expect(settings.gateTimeoutMs).toMatchObject({ layer: "user", file: source?.file, line: 7 });
    expect(settings.piProgram).toMatchObject({ line: 23 });
  });

  test("may be JSON, and one command may stand without a list", async () => {
    const loaded = await settingsOf('{"max_calls": 2, "test_commands": "make check"}', "kit.json");

    expect(loaded.problems).toEqual([]);
    expect(valuesOf(loaded)).toEqual({ ...builtIn, maxCalls: 2, testCommands: ["make check"] });
  });

  test("given as null or left empty are the built-in ones", async () => {
    const loaded = await settingsOf("language: null\ngate:\ncall: { timeout: null }\n");

    expect(loaded.problems).toEqual([]);
    expect(valuesOf(loaded)).toEqual(builtIn);
  });

  test("of flags stand above the files, and a flag that is absent changes nothing", async () => {
    const { settings } = await settingsOf("max_calls: 2\nmax_attempts: 4\n");

    const overridden = overrideSettings(settings, { maxCalls: 7, maxAttempts: undefined });

    expect(overridden.maxCalls).toEqual({ value: 7, layer: "flags" });
    expect(overridden.maxAttempts).toMatchObject({ value: 4, layer: "user" });
  });
});

describe("a mistake in kit.yaml", () => {
  test.for([
    ["max_attempts: 0", "error 1:1 max_attempts", "from 1 to 1000"],
    ["max_calls: many", "error 1:1 max_calls", "a whole number"],
    ["gate:\n  timeout: soon", "error 2:3 gate.timeout", "60s, 20m or 30 min"],
    ["gate:\n  timeout: 0", "error 2:3 gate.timeout", "a duration"],
    ["call:\n  timeout: 1000h", "error 2:3 call.timeout", "up to 24h"],
    ["repairs: lst", "error 1:1 repairs", 'one of last, progress, off; did you mean "last"?'],
    ["repairs: false", "error 1:1 repairs", "one of last"],
    ["test_commands: [3]", "error 1:1 test_commands", "a list of such commands"],
    ['test_commands: ["a\\nb"]', "error 1:17 test_commands.0", "on one line"],
    [
      "gate:\n  pass_environment: [A-B]",
      "error 2:22 gate.pass_environment.0",
      "environment variable",
    ],
    ["language: ' '", "error 1:1 language", "text on one line"],
    ["adapters: { pi: { program: ./pi } }", "error 1:19 adapters.pi.program", "an absolute path"],
    ["adapters: { pi: { token: hunter2 } }", "error 1:19 adapters.pi.token", "no credentials"],
    ["max_cals: 3", "warning 1:1 max_cals", 'did you mean "max_calls"?'],
    ["gate: { time_out: 3 }", "warning 1:9 gate.time_out", 'did you mean "timeout"?'],
    ["max_calls: [", "error 2:1 ", ""],
    ["max_calls: 3\nmax_calls: 4", "error 2:1 max_calls", "a second time"],
    ["version: 2", "error 1:1 version", "no other version"],
  ])("%j is said with its place", async ([text = "", where = "", says = ""]) => {
    const { problems } = await settingsOf(`${text}\n`);

    const lines = problems.map(
      ({ severity, place, key }) => `${severity} ${place.line}:${place.column} ${key ?? ""}`,
    );
    expect(lines).toEqual([where]);
    expect(problems[0]?.message).toContain(says);
    expect(JSON.stringify(problems)).not.toContain("hunter2");
  });

  test("leaves the other settings in force", async () => {
    const loaded = await settingsOf("max_calls: 3\nmax_attempts: lots\n");

    expect(valuesOf(loaded)).toEqual({ ...builtIn, maxCalls: 3 });
  });

  test.for([
    ["kit.json", "kit.yaml"],
    ["kit.yml", "kit.yaml"],
  ])("%s beside %s is one, not a merge", async ([one = "", other = ""]) => {
    const layers = layersOf({ [`user/${one}`]: "{}", [`user/${other}`]: "max_calls: 3\n" });

    const loaded = await loadSettings({ layers });

    expect(loaded.problems).toEqual([
      expect.objectContaining({ severity: "error", message: expect.stringContaining("keep one") }),
    ]);
    expect(valuesOf(loaded)).toEqual(builtIn);
  });
});

describe("the project layer", () => {
  const project = {
    "project/kit.yaml":
      "language: Klingon\ngate:\n  pass_environment: [AWS_SECRET]\nadapters: { pi: { program: /tmp/evil } }\nmax_calls: 0\n",
  };

  test("is checked against its limits and not used", async () => {
    const loaded = await loadSettings({ layers: layersOf(project) });

    expect(valuesOf(loaded)).toEqual(builtIn);
    expect(loaded.problems.map(({ severity, key, message }) => [severity, key, message])).toEqual([
      ["warning", "max_calls", expect.any(String)],
      ["warning", "gate.pass_environment", "a project may not pass environment through"],
      ["warning", "adapters", "a project may not name programs"],
    ]);
    expect(loaded.sources).toEqual([expect.objectContaining({ layer: "project", used: false })]);
  });

  test("is used once it is trusted, within its limits, which say their line", async () => {
    const layers = layersOf({
      "user/kit.yaml": "max_calls: 8\ntest_commands: [npm test]\n",
      "project/kit.yaml":
        "language: German\nmax_calls: 500\nmax_attempts: 1\ntest_commands: [make check]\n" +
        "gate: { timeout: 5m, pass_environment: [AWS_SECRET] }\nadapters: { pi: { program: /tmp/evil } }\n",
    }).map((layer) =>
      layer.layer === "project"
        ? { ...layer, trusted: true as const, files: filesOf(layer) }
        : layer,
    );

    const { settings, projectCommands, problems, sources } = await loadSettings({ layers });

    expect(settings.language).toMatchObject({ value: "German", layer: "project", line: 1 });
    expect(settings.gateTimeoutMs.value).toBe(300_000);
    expect(settings.maxAttempts.value).toBe(1);
    expect(settings.maxCalls.value).toBe(8);
    expect(settings.testCommands).toMatchObject({ value: ["npm test"], layer: "user" });
    expect(projectCommands?.value).toEqual(["make check"]);
    expect(settings.passEnvironment.value).toEqual([]);
    expect(settings.piProgram.value).toBeUndefined();
    expect(problems.map(({ severity, key, place }) => [severity, key, place.line])).toEqual([
      ["warning", "gate.pass_environment", 5],
      ["warning", "adapters", 6],
      ["warning", "max_calls", 2],
    ]);
    expect(sources.map(({ layer, used }) => [layer, used])).toEqual([
      ["user", true],
      ["project", true],
    ]);
  });

  test("gives test commands where the user gives none", async () => {
    const layers = layersOf({ "project/kit.yaml": "test_commands: make check\n" }).map((layer) =>
      layer.layer === "project"
        ? { ...layer, trusted: true as const, files: filesOf(layer) }
        : layer,
    );

    const { settings } = await loadSettings({ layers });

    expect(settings.testCommands).toMatchObject({ value: ["make check"], layer: "project" });
  });

  test("lets a setting in only where the table says so", () => {
    const refused = Object.keys(settingRows).filter((name) => !Object.hasOwn(projectMay, name));

    expect(refused).toEqual(expect.arrayContaining(["passEnvironment", "piProgram"]));
  });
});

/** What a project layer holds, as it is read once. */
function filesOf({ folder }: LayerFolder): NonNullable<LayerFolder["files"]> {
  return new Map([
    ["kit.yaml", { kind: "bytes" as const, bytes: readFileSync(join(folder, "kit.yaml")) }],
  ]);
}

test("docs/settings.md names every setting with its built-in value", () => {
  const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "settings.md"), "utf8");

  const missing = Object.values(settingRows)
    .map(({ path }) => `\`${path.join(".")}\``)
    .filter((name) => !page.includes(`| ${name} |`));
  expect(missing).toEqual([]);
});
