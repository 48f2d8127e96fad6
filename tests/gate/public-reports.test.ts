import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compare, findTestCommands } from "../../src/gate/index.ts";
import { repository, temporaryFolder, writeFiles } from "../support/repository.ts";
import { runReally } from "./support.ts";

/** Processes of this machine whose command line holds a text. */
function processesWith(text: string): readonly string[] {
  const all = execFileSync("ps", ["-eo", "args="], { encoding: "utf8" }).split("\n");
  return all.filter((args) => args.includes(text) && !args.startsWith("ps "));
}

const outputOf = async (root: string, command: string, timeoutMs = 20_000): Promise<string> => {
  const { commands } = await runReally(root, [command], { timeoutMs });
  return commands[0]?.output ?? "";
};

describe("a test command in watch mode", () => {
  const watch = (once: string): string =>
    `console.log('1 passed'); if (!(${once})) { console.log('Waiting for file changes...'); setInterval(() => {}, 1000); }`;

  test("ends by itself where the runner looks at CI and the terminal", async () => {
    const root = temporaryFolder();
    writeFiles(root, {
      "watch.js": watch("process.env.CI && process.env.CI !== 'false' && !process.stdin.isTTY"),
    });

    const { green } = await runReally(root, ["node watch.js"], {
      environment: { ...process.env, CI: "false" },
    });

    expect(green).toBe(true);
  });

  test("is stopped at the deadline, its output kept, nothing left", async () => {
    const root = temporaryFolder();
    const watcher = "echo 1 passed; echo Waiting for file changes...; sleep 600.0617; true";

    const { green, commands, environment } = await runReally(root, [watcher], { timeoutMs: 1_000 });

    expect(green).toBe(false);
    expect(environment).toBeUndefined();
    expect(commands[0]).toMatchObject({
      ended: { by: "deadline" },
      output: "1 passed\nWaiting for file changes...\n",
    });
    expect(processesWith("sleep 600.0617")).toEqual([]);
  });
});

describe("a command that asks", () => {
  test("finds standard input at its end", async () => {
    const root = temporaryFolder();
    writeFiles(root, {
      "ask.mjs": `import readline from 'node:readline';
const rl = readline.createInterface({ input: process.stdin, output: process.stdout });
rl.question('Proceed? (Y/n) ', (a) => process.exit(a === 'y' ? 0 : 3));
rl.on('close', () => { console.log('no input'); process.exit(4); });\n`,
    });

    const { commands } = await runReally(root, ["node ask.mjs"]);

    expect(commands[0]?.ended).toEqual({ by: "exit", code: 4 });
    expect(commands[0]?.output).toMatch(/no input\n$/);
  });

  test("has no terminal to ask on, and no editor opens", async () => {
    const root = repository({ a: "" });

    expect(await outputOf(root, "cat /dev/tty 2>/dev/null || echo no terminal")).toBe(
      "no terminal\n",
    );
    expect(await outputOf(root, "git commit -q --allow-empty --amend && echo done")).toContain(
      "done",
    );
  });
});

describe("a pager", () => {
  test("never opens", async () => {
    const root = repository({ a: "" });
    const environment = { ...process.env, PAGER: "sleep 60", GIT_PAGER: "sleep 60", LESS: "" };

    const { green } = await runReally(
      root,
      ["git log --oneline", "$GIT_PAGER </dev/null", "$PAGER </dev/null"],
      { environment },
    );

    expect(green).toBe(true);
  });
});

describe("what a command leaves running", () => {
  test("does not hold the call up, and is ended and named", async () => {
    const root = temporaryFolder();

    const { commands } = await runReally(root, ["sleep 60.0611 & echo started; exit 0"]);

    expect(commands[0]).toMatchObject({ ended: { by: "exit", code: 0 }, output: "started\n" });
    expect(commands[0]?.durationMs).toBeLessThan(10_000);
    expect(commands[0]?.leftBehind?.join()).toContain("sleep 60.0611");
    expect(processesWith("sleep 60.0611")).toEqual([]);
  });

  test("is ended at the deadline too, in a session of its own", async () => {
    const root = temporaryFolder();

    const { commands } = await runReally(root, ["setsid sleep 60.0622 & sleep 60.0622"], {
      timeoutMs: 500,
    });

    expect(commands[0]?.ended.by).toBe("deadline");
    expect(commands[0]?.durationMs).toBeLessThan(10_000);
    expect(processesWith("sleep 60.0622")).toEqual([]);
  });

  test("frees its port for the next attempt", async () => {
    const port = await freePort();
    const root = temporaryFolder();
    const serve = (answer: number): string =>
      `import http from 'node:http'; http.createServer((q, r) => r.end('${answer}')).listen(${port}, '127.0.0.1', () => console.log('up'));`;
    const check =
      "node server-f11.mjs & for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 0.1; node check.mjs && exit 0; [ $? = 1 ] && exit 1; done; exit 2";
    const answers = `const r = await fetch('http://127.0.0.1:${port}').then((x) => x.text(), () => process.exit(3)); console.log('got ' + r); process.exit(r === '5' ? 0 : 1);`;
    writeFiles(root, { "server-f11.mjs": serve(6), "check.mjs": answers });

    const first = await runReally(root, [check]);
    writeFiles(root, { "server-f11.mjs": serve(5) });
    const second = await runReally(root, [check]);

    expect(first.commands[0]?.output).toContain("got 6");
    expect(second).toMatchObject({ green: true });
    expect(second.commands[0]?.output).not.toMatch(/EADDRINUSE|got 6/);
    expect(processesWith("server-f11.mjs")).toEqual([]);
  });

  test("is ended on Ctrl-C", async () => {
    const root = temporaryFolder();
    const controller = new AbortController();
    const running = runReally(root, ["touch up; sleep 60.0633", "touch never"], {
      signal: controller.signal,
    });
    while (!existsSync(join(root, "up"))) await new Promise((resolve) => setImmediate(resolve));

    controller.abort();
    const { commands, green } = await running;

    expect(green).toBe(false);
    expect(commands.map(({ ended }) => ended.by)).toEqual(["abort"]);
    expect(processesWith("sleep 60.0633")).toEqual([]);
  });
});

describe("output", () => {
  test("is kept at both ends, stdout and stderr as they came, in memory and in the record", async () => {
    const root = temporaryFolder();
    const command = `echo FIRST; yes 123456789 | head -n 300000; sleep 0.2; echo LAST ERROR LINE >&2; exit 1`;

    const { commands } = await runReally(root, [command]);
    const [run] = commands;

    expect(run?.ended).toEqual({ by: "exit", code: 1 });
    expect(run?.outputBytes).toBeGreaterThan(1_000_000);
    expect(run?.output.length).toBeLessThan(600_000);
    expect(run?.output).toMatch(/^FIRST\n/);
    expect(run?.output).toMatch(/\[… \d+ bytes left out …\][\s\S]*LAST ERROR LINE\n$/);
    expect(statSync(run?.outputFile ?? "").size).toBeLessThan(600_000);
  });

  test("of one line without end is bounded", async () => {
    const root = temporaryFolder();

    const { commands } = await runReally(root, ["head -c 3000000 /dev/zero | tr '\\0' x"]);

    expect(commands[0]?.output.length).toBeLessThan(600_000);
    expect(commands[0]?.output).toMatch(/^x+\[… \d+ bytes left out …\]\nx+$/);
  });

  test.skipIf(process.platform !== "linux").each([
    ["its file removed", "rm -f $F", "ENOENT"],
    ["its folder removed", "rm -rf $(dirname $F)", "ENOENT"],
    ["a pipe in its place", "rm -f $F; mkfifo $F", "no regular file"],
    ["a link in its place", "ln -sf /etc/passwd $F", "ELOOP"],
    ["a folder in its place", "rm -f $F; mkdir $F", "no regular file"],
  ])("that the command took away is no error: %s", async (_, takeAway, reason) => {
    const root = temporaryFolder();

    const { commands } = await runReally(root, [
      `F=$(readlink /proc/$$/fd/1); ${takeAway}; echo x`,
    ]);

    expect(commands[0]?.ended).toEqual({ by: "exit", code: 0 });
    expect(commands[0]?.output).toMatch(/^\[its output is gone: .*\]$/);
    expect(commands[0]?.output).toContain(reason);
  });

  test("holds no secret and no colour, neither in memory nor in the record", async () => {
    const root = temporaryFolder();

    const { commands } = await runReally(root, [
      "printf '\\033[31mghp_16C7e42F292c6912E7710c838347Ae178B4a\\033[0m\\n'",
    ]);

    expect(commands[0]?.output).toBe("[redacted]\n");
    expect(readFileSync(commands[0]?.outputFile ?? "", "utf8")).toBe("[redacted]\n");
  });
});

describe("the environment of tests", () => {
  test("holds no credential of the caller; what was withheld is named", async () => {
    const root = temporaryFolder();
    const environment = {
      ...process.env,
      ANTHROPIC_API_KEY: "sk-ant-EXAMPLE",
      DATABASE_URL: "postgres://u:EXAMPLE@h/db",
      KEEP_ME: "plain",
    };

    const { withheld } = await runReally(root, ["env > env.out"], { environment });
    const seen = readFileSync(join(root, "env.out"), "utf8");

    expect(seen).not.toContain("EXAMPLE");
    expect(seen).toMatch(/^PATH=/m);
    expect(seen).toMatch(/^HOME=/m);
    expect(seen).toMatch(/^KEEP_ME=plain$/m);
    expect(withheld).toEqual(["ANTHROPIC_API_KEY", "DATABASE_URL"]);
  });

  test("leads to no other repository", async () => {
    const victim = repository({ v: "v" });
    const root = repository({ a: "" });
    const environment = {
      ...process.env,
      GIT_DIR: join(victim, ".git"),
      GIT_WORK_TREE: victim,
      GIT_INDEX_FILE: join(victim, ".git/index"),
    };

    const { green } = await runReally(
      root,
      [
        "d=$(mktemp -d) && cd $d && git init -q && git config user.name T && test -d .git; r=$?; rm -rf $d; exit $r",
      ],
      { environment },
    );

    expect(green).toBe(true);
    expect(readFileSync(join(victim, ".git/config"), "utf8")).not.toContain("name = T");
  });
});

describe("a monorepo", () => {
  test("the package's tests run, where kit was started, not the root's", async () => {
    const root = repository({
      "package.json":
        '{"name":"root","private":true,"scripts":{"test":"echo ROOT TEST && exit 1"}}',
      "packages/a/package.json":
        '{"name":"a","version":"1.0.0","type":"module","scripts":{"test":"pwd"}}',
    });
    const startFolder = join(root, "packages/a");

    const result = await runReally(root, await findTestCommands({ root, startFolder, flags: [] }));

    expect(result.green).toBe(true);
    expect(result.commands[0]?.output).toContain(startFolder);
    expect(result.commands[0]?.output).not.toContain("ROOT TEST");
  });
});

describe("a command that is not allowed", () => {
  test("is refused where commands are run, before any of them runs", async () => {
    const root = temporaryFolder();
    const proposed = {
      command: { shell: "touch ran" },
      cwd: root,
      source: { kind: "scout" },
      trusted: false,
    } as const;

    await expect(runReally(root, ["touch first", proposed])).rejects.toThrow(
      "untrusted command of scout",
    );
    expect(existsSync(join(root, "ran")) || existsSync(join(root, "first"))).toBe(false);
  });
});

describe("tests that run no test", () => {
  test("are no success, although the runner exits with 0", async () => {
    const root = temporaryFolder();
    writeFiles(root, { "a.test.mjs": "import test from 'node:test'; test('a', () => {});" });
    const node = (args: string): Promise<Awaited<ReturnType<typeof runReally>>> =>
      runReally(root, [`node --test ${args}`]);

    const baseline = await node("");
    const change = await node("--test-name-pattern=matches-nothing");

    expect(baseline.green && change.green).toBe(true);
    expect(compare(baseline, change, { createsTests: false, root }).kind).toBe("vacuous");
    expect(compare(baseline, baseline, { createsTests: false, root }).kind).toBe("green");
  });
});

describe("a script that is not executable", () => {
  test("is the environment, and says how to mend it", async () => {
    const root = temporaryFolder();
    writeFiles(root, { "run.sh": "#!/bin/sh\nexit 0\n" });
    chmodSync(join(root, "run.sh"), 0o644);

    const { environment } = await runReally(root, ["./run.sh"]);

    expect(environment?.mend).toBe("Make it executable: chmod +x ./run.sh");
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe("a source that ends the test process before a test has run", () => {
  test("is no success, although the runner exits with 0", async () => {
    const root = temporaryFolder();
    const source = (body: string): Record<string, string> => ({
      "math.mjs": `${body}\nexport const add = (a, b) => a - b;\n`,
    });
    writeFiles(root, {
      "math.test.mjs":
        "import test from 'node:test'; import assert from 'node:assert'; import { add } from './math.mjs'; test('adds', () => assert.equal(add(2, 3), 5));",
      ...source(""),
    });

    const baseline = await runReally(root, ["node --test"]);
    writeFiles(root, source("process.exit(0);"));
    const change = await runReally(root, ["node --test"]);

    expect([baseline.green, change.green]).toEqual([false, true]);
    expect(compare(baseline, change, { createsTests: false, root })).toMatchObject({
      kind: "vacuous",
      accepted: false,
    });
  });
});
