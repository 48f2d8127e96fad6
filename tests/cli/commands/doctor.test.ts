import { chmodSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseScenario, startModelServer } from "../../../fixtures/model-server/index.ts";
import { exitCodeOf } from "../../../src/cli/doctor/check.ts";
import { checkGit, checkNode } from "../../../src/cli/doctor/machine.ts";
import {
  git,
  repository,
  snapshot,
  temporaryFolder,
  writeFiles,
} from "../../support/repository.ts";
import { documentOf, twoBindings, userConfiguration } from "./support.ts";

const files = { "package.json": '{"scripts":{"test":"node --test"}}\n' };

interface Said {
  readonly name: string;
  readonly state: string;
  readonly said: string;
  readonly mend?: string;
  readonly exitCode?: number;
}

/** What doctor says, held against its schema. */
async function diagnose(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
) {
  const { document, exitCode } = await documentOf("doctor", ["doctor", ...argv], { cwd, env });
  const checks = document["checks"] as readonly Said[];
  return {
    exitCode,
    document,
    of: (name: string) => checks.filter((check) => check.name === name),
  };
}

/** No sandbox is tried: bubblewrap is nowhere to be found. */
const quick = { "kit.yaml": "sandbox: off\n" };

test("an empty machine ends with 3 and says what to install and what to do", async () => {
  const { env } = userConfiguration(quick);
  const nothing = { ...env, PATH: "/usr/bin:/bin", KIT_PI: "" };

  const { exitCode, of } = await diagnose([], repository(files), nothing);

  expect(exitCode).toBe(3);
  expect(of("pi")).toMatchObject([
    { state: "warning", mend: expect.stringContaining("npm install -g") as unknown },
  ]);
  expect(of("bindings")).toMatchObject([{ state: "problem", mend: "kit init", exitCode: 3 }]);
});

test("a bound machine is fine offline, as far as that is checked, and nothing is written", async () => {
  const { env } = userConfiguration({ ...quick, "models.local.yaml": twoBindings });
  const cwd = repository(files);
  const before = snapshot(cwd, []);

  const { exitCode, document, of } = await diagnose(["--offline"], cwd, env);

  expect(exitCode).toBe(0);
  expect(document).toMatchObject({ ready: true, root: cwd, fixed: [] });
  expect(of("cheap: acme/small")).toMatchObject([{ state: "not_checked" }]);
  expect(of("coder")).toMatchObject([{ state: "ok", said: "strong-code: strong, cheap" }]);
  expect(of("tests")).toMatchObject([{ state: "ok" }]);
  expect(snapshot(cwd, [])).toEqual(before);
});

test("a server that is down, one that lists another model, and a key that is not set are told apart", async () => {
  const server = await startModelServer(
    parseScenario("version: 1\nmodels:\n  lab/coder-1: {}\nrules: []\n"),
  );
  onTestFinished(() => server.close());
  const bound = (model: string, more = ""): string =>
    `{ adapter: openai, provider: lab, model: ${model}, base_url: "${server.url}/v1"${more} }`;
  const { env } = userConfiguration({
    ...quick,
    "models.local.yaml": `backends:
  local: { adapter: openai, provider: off, model: m, base_url: "http://127.0.0.1:9/v1" }
  cheap: ${bound("coder-1")}
  strong: ${bound("coder-2")}
  deep: ${bound("other", ", api_key_env: NO_SUCH_KEY")}
`,
  });

  const { exitCode, of } = await diagnose([], repository(files), env);

  expect(exitCode).toBe(0);
  expect(of("cheap: lab/coder-1")).toMatchObject([{ state: "ok" }]);
  expect(of("local: off/m")).toMatchObject([
    { said: expect.stringContaining("ECONNREFUSED") as unknown },
  ]);
  expect(of("strong: lab/coder-2")).toMatchObject([
    { said: expect.stringContaining('did you mean "coder-1"?') as unknown },
  ]);
  expect(of("deep: lab/other")).toMatchObject([{ state: "warning", mend: "export NO_SUCH_KEY=…" }]);
  expect(of("coder")).toMatchObject([{ said: "strong-code: cheap (2 of 3 cannot be asked)" }]);
  expect(server.requests).toEqual([]);
});

test("pi that is missing where a binding needs it ends with 5, as a run would", async () => {
  const { env } = userConfiguration({ ...quick, "models.local.yaml": twoBindings });

  const { exitCode, of } = await diagnose([], repository(files), { ...env, KIT_PI: "/no/pi" });

  expect(exitCode).toBe(5);
  expect(of("scout")).toMatchObject([{ state: "problem", exitCode: 5 }]);
});

test("a file with an error ends with 2 and is named with its line", async () => {
  const { env, folder } = userConfiguration({ ...quick, "models.local.yaml": "backends: 7\n" });

  const { exitCode, of } = await diagnose(["--offline"], repository(files), env);

  expect(exitCode).toBe(2);
  expect(of("files")).toMatchObject([
    { state: "problem", mend: `Mend ${folder}/models.local.yaml:1` },
  ]);
});

test("an open state folder, a foreign .kit and a missing test program are said with their mending", async () => {
  const { env, folder } = userConfiguration({ ...quick, "models.local.yaml": twoBindings });
  const state = join(folder, "state");
  mkdirSync(state, { mode: 0o755 });
  chmodSync(state, 0o755);
  const cwd = repository({
    "Cargo.toml": "[package]\nname = 'x'\n",
    ".kit/kit.yaml": "language: de\n",
  });

  const { of } = await diagnose(["--offline"], cwd, {
    ...env,
    KIT_STATE_DIR: state,
    PATH: "/usr/bin",
  });

  expect(of("state folder")).toMatchObject([{ state: "warning", mend: `chmod 700 ${state}` }]);
  expect(of("trust")).toMatchObject([
    { state: "warning", mend: expect.stringContaining("kit trust") as unknown },
  ]);
  expect(of("tests")).toMatchObject([{ state: "problem", exitCode: 5, mend: "Install cargo" }]);
});

test("--fix takes away what a killed run left; without it nothing is touched", async () => {
  const { env } = userConfiguration({ ...quick, "models.local.yaml": twoBindings });
  const cwd = repository(files);
  const holder = join(cwd, ".git/kit/lock.holder");
  writeFiles(cwd, { ".git/kit/lock.holder": '{"holder":"r1","pid":999999}\n' });

  const found = await diagnose(["--offline"], cwd, env);
  const isLeft = existsSync(holder);
  const fixed = await diagnose(["--offline", "--fix"], cwd, env);

  expect(found.of("runs")).toMatchObject([{ state: "warning", mend: "kit doctor --fix" }]);
  expect(isLeft).toBe(true);
  expect(fixed.of("runs")).toMatchObject([{ state: "ok" }]);
});

test("--fix removes the worktree of a killed run; without it nothing is touched", async () => {
  const { env } = userConfiguration({ ...quick, "models.local.yaml": twoBindings });
  const state = temporaryFolder();
  const cwd = repository(files);
  const worktree = join(state, "worktrees", "r1");
  git(cwd, "worktree", "add", "-q", "--detach", worktree);
  writeFiles(state, {
    "worktrees/r1.lock": "",
    "worktrees/r1.lock.holder": JSON.stringify({
      holder: "r1",
      pid: 2 ** 22 + 1,
      host: hostname(),
    }),
  });
  const withState = { ...env, KIT_STATE_DIR: state };

  const found = await diagnose(["--offline"], cwd, withState);
  const isLeft = existsSync(worktree);
  const fixed = await diagnose(["--offline", "--fix"], cwd, withState);

  expect(found.of("worktrees")).toMatchObject([
    { state: "warning", said: "left by dead runs: r1", mend: "kit doctor --fix" },
  ]);
  expect(isLeft).toBe(true);
  expect(fixed.document["fixed"]).toEqual(["The worktree of r1 was removed"]);
  expect(fixed.of("worktrees")).toEqual([]);
  expect(readdirSync(join(state, "worktrees"))).toEqual([]);
  expect(git(cwd, "worktree", "list").trim().split("\n")).toHaveLength(1);
});

test("the sandbox is tried out where there is one, and leaves nothing", async () => {
  const { env } = userConfiguration({ "models.local.yaml": twoBindings });
  const cache = temporaryFolder();

  const { of } = await diagnose(["--offline"], repository(files), {
    ...env,
    XDG_CACHE_HOME: cache,
  });

  const [sandbox] = of("sandbox");
  expect(sandbox?.state === "ok" ? "it holds" : sandbox?.said).toMatch(
    /^it holds$|bubblewrap is not installed|does not work here|Linux only/,
  );
  expect(
    existsSync(join(cache, "kit/doctor")) ? readdirSync(join(cache, "kit/doctor")) : [],
  ).toEqual([]);
});

test.each([
  [checkNode("22.19.0"), "ok"],
  [checkNode("22.18.9"), "problem"],
  [checkNode("24.0.0"), "ok"],
  [checkGit("2.31.0"), "ok"],
  [checkGit("2.30.9"), "problem"],
  [checkGit(undefined), "warning"],
])("%j", ({ state }, expected) => {
  expect(state).toBe(expected);
});

test("the exit code is the one that a run would come to first", () => {
  const check = { group: "machine", name: "x", state: "problem", said: "x" } as const;
  const of = (...codes: (2 | 3 | 5)[]) =>
    exitCodeOf(codes.map((exitCode) => ({ ...check, exitCode })));

  expect([of(), of(5), of(5, 3), of(3, 5, 2)]).toEqual([0, 5, 3, 2]);
});
