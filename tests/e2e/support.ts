import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { onTestFinished } from "vitest";
import {
  type ModelServer,
  parseScenario,
  type Scenario,
  startModelServer,
  writePiAgentFolder,
} from "../../fixtures/model-server/index.ts";
import type { FailureKind, RecordedEvent } from "../../src/contracts/index.ts";
import type { Receipt } from "../../src/runs/index.ts";
import { repository, type RunAtEnd, snapshot, temporaryFolder } from "../support/repository.ts";

/** The built kit, as a user starts it. */
const kitBin = resolve("bin/kit.cjs");

/** How a kit process ended, with what it printed. */
export interface KitResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningKit {
  readonly process: ChildProcess;
  readonly ended: Promise<KitResult>;
}

/** A `kit run --json` that is over. */
export interface RunResult extends KitResult {
  readonly receipt: Receipt;
}

/** A user's machine: a repository, kit's and pi's own folders, and scripted models. */
export interface Machine {
  readonly root: string;
  /** Its private HOME, which also marks every process started on it. */
  readonly home: string;
  readonly env: Record<string, string>;
  readonly server: ModelServer;
  /** Flags of the cheapest run there is: a pack that names `src/math.js`, and a test of one grep. */
  readonly quick: readonly string[];
  /** Runs kit to its end. */
  kit(args: readonly string[], options?: KitOptions): Promise<KitResult>;
  /** `kit run --json` with more flags, and its receipt. */
  run(flags: readonly string[], options?: RunOptions): Promise<RunResult>;
  start(args: readonly string[], options?: KitOptions): RunningKit;
}

export interface KitOptions {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  readonly input?: string;
  /** Modules that node loads before kit. */
  readonly imports?: readonly string[];
  /** Put in front of node and kit: `setpriv` and the like. */
  readonly through?: readonly string[];
}

export interface RunOptions extends KitOptions {
  /** Default: the task of `scoutRule`. */
  readonly task?: string;
}

/** `provider/model`, or that with more keys of a binding. */
type BindingOf = string | ({ readonly model: string } & Readonly<Record<string, unknown>>);

export interface MachineOptions {
  readonly files?: Record<string, string | Uint8Array>;
  /** A tree that is there already, in place of a new repository of `files`. */
  readonly root?: string;
  /** What the model server plays; as YAML or read. */
  readonly scenario: string | Scenario;
  /** backend → model; `cheap` serves the scout, the others serve strong-code in this order. */
  readonly bindings?: Record<string, BindingOf>;
  /** Text of the user's `kit.yaml`. */
  readonly settings?: string;
  /** Backends that the scout asks, in order. */
  readonly scouts?: readonly string[];
  /** Concurrent tests give their own `onTestFinished`. */
  readonly atEnd?: RunAtEnd;
}

/** The task of a run, unless it has another. */
export const task = "add(2, 3) must be 5";

/** A red repository in CRLF, so that every test sees line ends kept. */
export const crlfRepository = {
  "package.json":
    '{"name":"fixture","private":true,"type":"module","scripts":{"test":"node --test"}}\n',
  "src/math.js": "export function add(a, b) {\r\n  return a - b;\r\n}\r\n",
  "test/math.test.js":
    "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add } from '../src/math.js';\ntest('add', () => assert.equal(add(2, 3), 5));\n",
};

/** `src/math.js` of `crlfRepository` once it adds. */
export const fixedMath = crlfRepository["src/math.js"].replace("a - b", "a + b");

/** A green test of `crlfRepository` means that it adds. A shell and a grep, for speed. */
export const grepTest = "grep -q 'a + b' src/math.js";

/** A Context Pack that names these files; `more` are further sections. */
export function packText(paths: readonly string[] = ["src/math.js"], more = ""): string {
  return `# Context Pack

## task
add(2, 3) must be 5.

## goal
npm test is green.

## constraints
- Touch only the listed files.

## relevant_files
${paths.map((path) => `- \`${path}\` — part of the change`).join("\n")}
${more}
## expected_output
A change to src/math.js.
`;
}

/** A scout that answers at once, for scenarios; the pack names `src/math.js` unless given. */
export function scoutWith(pack: string): string {
  return replyRule("p0/scout", pack);
}

export const scoutRule = scoutWith(packText());

/** A rule that answers with this text; `more` are further keys of the rule. */
export function replyRule(model: string, text: string, more = ""): string {
  return `
  - when: { model: ${model} }
    ${more}
    reply: |
${text.replaceAll(/^(?=.)/gm, "      ")}
`;
}

/** A rule that edits the sum of `crlfRepository`: `sum` is the new expression. */
export function coderRule(model: string, sum: string, more = "", path = "src/math.js"): string {
  return replyRule(model, editBlock(path, "  return a - b;", `  return ${sum};`), more);
}

/** An EDIT block of kit's reply format, for scenarios. */
export function editBlock(path: string, search: string, replace: string): string {
  return `=== EDIT: ${path} === {{tag}}
<<<<<<< SEARCH
${search}
=======
${replace}
>>>>>>> REPLACE
=== END === {{tag}}
`;
}

/** A rule that answers with an HTTP error of the usual shape. */
export function errorRule(model: string, status: number, message: string, type = "error"): string {
  return `
  - when: { model: ${model} }
    error: { status: ${status}, body: { error: { message: ${JSON.stringify(message)}, type: ${type} } } }
`;
}

/** The head of a scenario: the tag of kit's own reply format, and models from their names. */
export function scenario(
  rules: readonly string[],
  models: readonly string[] = ["p0/scout", "p1/first", "p2/second", "p3/third"],
): string {
  const listed = models.map((model) => `  ${model}: { price: { input: 1, output: 2 } }`).join("\n");
  return `version: 1\nmodels:\n${listed}\nplaceholders:\n  tag: "^=== END === (\\\\S+)$"\nrules:${rules.join("") || " []"}`;
}

/** A machine with a real repository, the real pi and a scripted model server. */
export async function machine(options: MachineOptions): Promise<Machine> {
  const atEnd = options.atEnd ?? onTestFinished;
  const root = options.root ?? repository(options.files ?? crlfRepository, atEnd);
  const home = temporaryFolder(atEnd);
  const script =
    typeof options.scenario === "string" ? parseScenario(options.scenario) : options.scenario;
  const server = await startModelServer(script);
  atEnd(() => server.close());
  const config = join(home, "kit");
  const bindings = options.bindings ?? defaultBindings;
  const packFile = join(home, "pack.md");
  mkdirSync(config);
  writeFileSync(join(config, "routing.local.yaml"), routingText(bindings, options.scouts));
  writeFileSync(join(config, "models.local.yaml"), bindingsText(bindings));
  if (options.settings !== undefined) writeFileSync(join(config, "kit.yaml"), options.settings);
  writeFileSync(packFile, packText());
  const agentFolder = join(home, "pi");
  writePiAgentFolder(agentFolder, server);
  const env = {
    PATH: [resolve("node_modules/.bin"), dirname(process.execPath), "/usr/bin", "/bin"].join(":"),
    HOME: home,
    KIT_CONFIG_DIR: config,
    PI_CODING_AGENT_DIR: agentFolder,
    NO_PROXY: "127.0.0.1,localhost",
    GIT_CONFIG_NOSYSTEM: "1",
  };
  const start = (args: readonly string[], more: KitOptions = {}): RunningKit => {
    const [program = process.execPath, ...rest] = [
      ...(more.through ?? []),
      process.execPath,
      ...(more.imports ?? []).flatMap((file) => ["--import", file]),
      kitBin,
      ...args,
    ];
    const child = spawn(program, rest, {
      cwd: more.cwd ?? root,
      env: { ...env, ...more.env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    // A kit that refuses to start may be gone before its input is read.
    child.stdin.on("error", () => undefined);
    child.stdin.end(more.input ?? "");
    atEnd(() => void child.kill("SIGKILL"));
    return { process: child, ended: resultOf(child) };
  };
  const kit = (args: readonly string[], more?: KitOptions): Promise<KitResult> =>
    start(args, more).ended;
  return {
    root,
    home,
    env,
    server,
    start,
    kit,
    quick: ["--pack", packFile, "--test", grepTest],
    run: async (flags, more) =>
      withReceipt(await kit(["run", `--task=${more?.task ?? task}`, "--json", ...flags], more)),
  };
}

const defaultBindings = {
  cheap: "p0/scout",
  first: "p1/first",
  second: "p2/second",
  third: "p3/third",
};

function routingText(
  bindings: Record<string, BindingOf>,
  scouts: readonly string[] = ["cheap"],
): string {
  const coders = Object.keys(bindings).filter((backend) => backend !== "cheap");
  const described = coders.map((backend) => [backend, { description: `asks for ${backend}` }]);
  const route = ([primary, ...fallback]: readonly string[]): object => ({ primary, fallback });
  return JSON.stringify({
    version: 1,
    backends: Object.fromEntries(described),
    capabilities: { "cheap-code": route(scouts), "strong-code": route(coders) },
  });
}

function bindingsText(bindings: Record<string, BindingOf>): string {
  const backends = Object.entries(bindings).map(([backend, given]) => {
    const { model: name, ...more } = typeof given === "string" ? { model: given } : given;
    const slash = name.indexOf("/");
    return [backend, { provider: name.slice(0, slash), model: name.slice(slash + 1), ...more }];
  });
  return JSON.stringify({ version: 1, backends: Object.fromEntries(backends) });
}

function resultOf(child: ChildProcess): Promise<KitResult> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
  return new Promise((settle, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      settle({
        code,
        signal,
        stdout: Buffer.concat(out).toString("utf8"),
        stderr: Buffer.concat(err).toString("utf8"),
      });
    });
  });
}

function withReceipt(result: KitResult): RunResult {
  try {
    return { ...result, receipt: JSON.parse(result.stdout) as Receipt };
  } catch {
    throw new Error(`no document on stdout, exit ${result.code}: ${result.stderr}`);
  }
}

/** How the attempts of a step ended, in order; `ok` for the one that succeeded. */
export function endsOf({ attempts }: Receipt, step = "coder"): (FailureKind | "ok")[] {
  const ofStep = attempts.filter((attempt) => attempt.step === step);
  return ofStep.map(({ failure }) => failure?.kind ?? "ok");
}

/** Which models were asked, one entry a request. */
export function asked({ requests }: ModelServer): string[] {
  return requests.map(({ provider, model }) => `${provider}/${model}`);
}

/** The events of the only run in a tree, so far. */
export function eventsIn(root: string): RecordedEvent[] {
  const runs = join(root, ".kit", "runs");
  const [run = ""] = existsSync(runs)
    ? readdirSync(runs).filter((name) => !name.startsWith("."))
    : [];
  const log = join(runs, run, "events.jsonl");
  if (run === "" || !existsSync(log)) return [];
  const whole = readFileSync(log, "utf8").split("\n").slice(0, -1);
  return whole.map((line) => JSON.parse(line) as RecordedEvent);
}

/** A moment of a run: the n-th event of a type. */
export interface Moment {
  readonly type: RecordedEvent["type"];
  readonly nth: number;
}

/**
 * Returns once the run has come to the moment.
 * @throws Error when it ends before.
 */
export async function reached(
  root: string,
  running: RunningKit,
  { type, nth }: Moment,
): Promise<void> {
  let end: KitResult | undefined;
  void running.ended.then((result) => (end = result));
  for (;;) {
    const isOver = end !== undefined;
    if (eventsIn(root).filter((event) => event.type === type).length >= nth) return;
    if (isOver) throw new Error(`the run ended before ${type} ${nth}: ${end?.stderr ?? ""}`);
    await setTimeout(5);
  }
}

/** Everything of a tree but git's and kit's own folders. */
export function treeOf(root: string): Map<string, string> {
  return snapshot(root, [".git", ".kit"]);
}
