import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import {
  type ModelServer,
  parseScenario,
  startModelServer,
  writePiAgentFolder,
} from "../../fixtures/model-server/index.ts";
import { repository, temporaryFolder } from "../support/repository.ts";

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

/** A user's machine: a repository, kit's and pi's own folders, and scripted models. */
export interface Machine {
  readonly root: string;
  /** Its private HOME, which also marks every process started on it. */
  readonly home: string;
  readonly env: Record<string, string>;
  readonly server: ModelServer;
  /** Runs kit to its end. */
  kit(args: readonly string[], options?: KitOptions): Promise<KitResult>;
  start(args: readonly string[], options?: KitOptions): RunningKit;
}

interface KitOptions {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  readonly input?: string;
}

interface MachineOptions {
  readonly files?: Record<string, string | Uint8Array>;
  /** YAML of the model server. */
  readonly scenario: string;
  /** backend → `provider/model`; `first`, `second` and `third` serve strong-code, `cheap` the scout. */
  readonly bindings?: Record<string, string>;
}

/** A red repository in CRLF, so that every test sees line ends kept. */
export const crlfRepository = {
  "package.json":
    '{"name":"fixture","private":true,"type":"module","scripts":{"test":"node --test"}}\n',
  "src/math.js": "export function add(a, b) {\r\n  return a - b;\r\n}\r\n",
  "test/math.test.js":
    "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add } from '../src/math.js';\ntest('add', () => assert.equal(add(2, 3), 5));\n",
};

/** A scout that answers at once, for scenarios; the pack names `src/math.js`. */
export const scoutRule = `
  - when: { model: p0/scout }
    reply: |
      # Context Pack

      ## task
      add(2, 3) must be 5.

      ## goal
      npm test is green.

      ## constraints
      - Touch only the listed files.

      ## relevant_files
      - \`src/math.js\` — the sum is wrong

      ## expected_output
      A change to src/math.js.
`;

/** A rule that edits the sum of `crlfRepository`: `sum` is the new expression. */
export function coderRule(model: string, sum: string, more = ""): string {
  return `
  - when: { model: ${model} }
    ${more}
    reply: |
      === EDIT: src/math.js === {{tag}}
      <<<<<<< SEARCH
        return a - b;
      =======
        return ${sum};
      >>>>>>> REPLACE
      === END === {{tag}}
`;
}

/** The head of a scenario: the tag of kit's own reply format, and models from their names. */
export function scenario(
  rules: readonly string[],
  models: readonly string[] = ["p0/scout", "p1/first", "p2/second", "p3/third"],
): string {
  const listed = models.map((model) => `  ${model}: { price: { input: 1, output: 2 } }`).join("\n");
  return `version: 1\nmodels:\n${listed}\nplaceholders:\n  tag: "^=== END === (\\\\S+)$"\nrules:${rules.join("")}`;
}

/** A machine with a real repository, the real pi and a scripted model server. */
export async function machine(options: MachineOptions): Promise<Machine> {
  const root = repository(options.files ?? crlfRepository);
  const home = temporaryFolder();
  const server = await startModelServer(parseScenario(options.scenario));
  onTestFinished(() => server.close());
  const config = join(home, "kit");
  mkdirSync(config);
  writeFileSync(join(config, "routing.local.yaml"), routingText);
  writeFileSync(
    join(config, "models.local.yaml"),
    bindingsText(options.bindings ?? defaultBindings),
  );
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
    const child = spawn(process.execPath, [kitBin, ...args], {
      cwd: more.cwd ?? root,
      env: { ...env, ...more.env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    child.stdin.end(more.input ?? "");
    onTestFinished(() => void child.kill("SIGKILL"));
    return { process: child, ended: resultOf(child) };
  };
  return { root, home, env, server, start, kit: (args, more) => start(args, more).ended };
}

const defaultBindings = {
  cheap: "p0/scout",
  first: "p1/first",
  second: "p2/second",
  third: "p3/third",
};

const routingText = `version: 1
backends:
  first: { description: asked first }
  second: { description: asked second }
  third: { description: asked third }
capabilities:
  cheap-code: { primary: cheap, fallback: [] }
  strong-code: { primary: first, fallback: [second, third] }
`;

function bindingsText(bindings: Record<string, string>): string {
  const lines = Object.entries(bindings).map(([backend, model]) => {
    const slash = model.indexOf("/");
    return `  ${backend}: { provider: ${model.slice(0, slash)}, model: "${model.slice(slash + 1)}" }`;
  });
  return `version: 1\nbackends:\n${lines.join("\n")}\n`;
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
