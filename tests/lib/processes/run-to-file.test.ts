import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setInterval as every } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import {
  runToFile,
  type CommandEnd,
  type CommandRequest,
} from "../../../src/lib/processes/index.ts";
import { alive, pidsIn, until } from "./alive.ts";

// Not `temporaryFolder`: tests that run at the same time cannot say whose it is.
const home = realpathSync(mkdtempSync(join(tmpdir(), "kit-test-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const folder = (): string => mkdtempSync(join(home, "t-"));

async function run(
  line: string,
  rest: Partial<CommandRequest> = {},
): Promise<CommandEnd & { readonly output: string; readonly file: string }> {
  const file = rest.outputFile ?? join(folder(), "output.txt");
  const end = await runToFile({
    command: { shell: line },
    cwd: home,
    env: { PATH: process.env["PATH"] },
    outputFile: file,
    maxOutputBytes: 1_000_000,
    timeoutMs: 30_000,
    signal: new AbortController().signal,
    ...rest,
  });
  const { ended } = end;
  return { ...end, file, output: ended.by === "spawn_error" ? "" : readFileSync(file, "utf8") };
}

describe.concurrent("the output file", () => {
  it("holds stdout and stderr in the order they were written", async () => {
    const { output, ended, outputBytes, leftOutBytes } = await run(
      "for i in 1 2 3; do echo out $i; echo err $i >&2; done; exit 7",
    );

    expect(output).toBe("out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n");
    expect(ended).toEqual({ by: "exit", code: 7 });
    expect([outputBytes, leftOutBytes]).toEqual([output.length, 0]);
  });

  it("is for its owner only, and replaces an older one", async () => {
    const { file } = await run("echo a long first line");
    const again = await run("echo b", { outputFile: file });

    expect(readFileSync(file, "utf8")).toBe("b\n");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(again.outputBytes).toBe(2);
  });

  it("keeps the start and the end of a long output, and says what is missing", async () => {
    const { output, ended, outputBytes, leftOutBytes } = await run(
      "echo FIRST; yes 0123456789 | head -c 30000003; echo LAST ERROR LINE; exit 1",
      { maxOutputBytes: 100_000 },
    );

    expect(ended).toEqual({ by: "exit", code: 1 });
    expect(output.length).toBeLessThan(100_200);
    expect(output.startsWith("FIRST\n0123456789\n")).toBe(true);
    expect(output.endsWith("0123456789\nLAST ERROR LINE\n")).toBe(true);
    expect(output).toContain(`\n[… ${leftOutBytes} bytes left out …]\n`);
    expect(outputBytes).toBeGreaterThan(1_000_000);
  });

  it("is bounded for one line of 50 MB without a line break", async () => {
    const { output } = await run("head -c 50000000 /dev/zero | tr '\\0' x", {
      maxOutputBytes: 100_000,
    });

    expect(output.length).toBeLessThan(100_200);
  });

  it("stays bounded on the disk while a command prints without end", async () => {
    const file = join(folder(), "output.txt");
    let largest = 0;
    const looking = new AbortController();
    const watching = (async () => {
      try {
        for await (const _ of every(5, undefined, { signal: looking.signal })) {
          largest = Math.max(largest, statSync(file, { throwIfNoEntry: false })?.size ?? 0);
        }
      } catch {
        // Aborted: seen enough.
      }
    })();

    const { ended, outputBytes } = await run(
      "while :; do head -c 20000 /dev/zero; sleep 0.002; done",
      {
        outputFile: file,
        maxOutputBytes: 200_000,
        timeoutMs: 1000,
      },
    );
    looking.abort();
    await watching;

    expect(ended).toEqual({ by: "deadline" });
    expect(outputBytes).toBeGreaterThan(largest);
    expect(largest).toBeLessThan(3_000_000);
  });

  it("that cannot be made is told as a value", async () => {
    const { ended } = await run("echo a", { outputFile: "/no/such/folder/output.txt" });

    expect(ended).toMatchObject({ by: "spawn_error", code: "ENOENT" });
  });
});

describe.concurrent("a command", () => {
  it("is a program with arguments, which no shell reads", async () => {
    const { output } = await run("", {
      command: { argv: ["printf", "%s|", "a b", "$HOME", ";ls", ""] },
    });

    expect(output).toBe("a b|$HOME|;ls||");
  });

  it.each<[string, CommandRequest["command"], object]>([
    ["a missing program", { argv: ["no-such-runner"] }, { by: "spawn_error", code: "ENOENT" }],
    ["an empty argv", { argv: [] }, { by: "spawn_error", code: "ERR_INVALID_ARG_VALUE" }],
    ["NUL in an argument", { argv: ["echo", "\0"] }, { by: "spawn_error" }],
    ["a missing command in a shell line", { shell: "no-such-runner" }, { by: "exit", code: 127 }],
    ["a folder as program", { shell: "/tmp" }, { by: "exit", code: 126 }],
    ["death by a signal", { shell: "kill -SEGV $$" }, { by: "signal", signal: "SIGSEGV" }],
  ])("tells %s", async (_, command, ended) => {
    expect((await run("", { command })).ended).toMatchObject(ended);
  });

  it("finds its standard input at its end and has no terminal", async () => {
    const { output, ended } = await run(
      "read answer || echo no input; cat </dev/tty || echo no terminal; exit 4",
    );

    expect(output).toMatch(/^no input\n.*\nno terminal\n$/);
    expect(ended).toEqual({ by: "exit", code: 4 });
  });

  it("starts not at all under an aborted signal, and ends by one", async () => {
    const file = join(folder(), "pids");
    const abort = new AbortController();
    const running = run(`echo $$ >> ${file}; sleep 60`, { signal: abort.signal });
    await until(() => pidsIn(file).length === 1);
    abort.abort();

    expect((await running).ended).toEqual({ by: "abort" });
    expect(await alive(pidsIn(file))).toEqual([]);
    expect((await runToFileAborted()).ended).toEqual({ by: "abort" });
  });
});

function runToFileAborted(): Promise<CommandEnd> {
  return runToFile({
    command: { shell: "true" },
    cwd: home,
    env: {},
    outputFile: join(home, "never.txt"),
    maxOutputBytes: 1000,
    timeoutMs: 1000,
    signal: AbortSignal.abort(),
  });
}

describe.concurrent("the time limit", () => {
  it.each([
    ["children", "sleep 60 & sleep 61"],
    ["a setsid child that keeps the output open", "setsid sleep 60 & sleep 61"],
    ["children that ignore SIGTERM", "trap '' TERM; sleep 60 & while :; do sleep 1; done"],
    ["a watch mode", "echo 1 passed; echo Waiting for file changes; sleep 60"],
  ])("holds for %s: over within 2 s, nobody left", async (_, line) => {
    const file = join(folder(), "pids");

    const { ended, durationMs } = await run(`echo $$ >> ${file}; ${line}`, { timeoutMs: 300 });

    expect(ended).toEqual({ by: "deadline" });
    expect(durationMs).toBeLessThan(10_000);
    expect(await alive(pidsIn(file))).toEqual([]);
  });

  it("ends one that prints nothing for too long, and none that goes on printing", async () => {
    const silent = await run("echo 1 passed; sleep 60", { idleTimeoutMs: 300 });
    const slow = await run("for i in 1 2 3 4 5; do echo $i; sleep 0.2; done", {
      idleTimeoutMs: 5_000,
    });

    expect(silent.ended).toEqual({ by: "idle" });
    expect(silent.output).toBe("1 passed\n");
    expect(slow.ended).toEqual({ by: "exit", code: 0 });
  });

  it("leaves the output there", async () => {
    const { output } = await run("echo 1 passed; sleep 60", { timeoutMs: 300 });

    expect(output).toBe("1 passed\n");
  });
});

describe.concurrent("a program in front of the command", () => {
  it("gets the command behind its own arguments, and tells on descriptor 3", async () => {
    const { output, told } = await run("echo done", {
      through: ["/bin/sh", "-c", 'echo told >&3; exec "$@" 3>&-', "front"],
    });

    expect([output, told]).toEqual(["done\n", "told\n"]);
  });

  it("does not hold the call up, nor fill memory, by what it tells", async () => {
    const { told, ended } = await run("exit 4", {
      through: ["/bin/sh", "-c", 'head -c 300000 /dev/zero >&3; sleep 60 & exec "$@"', "front"],
    });

    expect(ended).toEqual({ by: "exit", code: 4 });
    expect(told.length).toBe(65_536);
  });
});

describe.concurrent("what a command leaves running", () => {
  it("does not hold it up: over at its exit, with its exit code, the rest ended and named", async () => {
    const { ended, output, durationMs, leftBehind } = await run("sleep 60 & echo started");

    expect(ended).toEqual({ by: "exit", code: 0 });
    expect(output).toBe("started\n");
    expect(durationMs).toBeLessThan(10_000);
    expect(leftBehind).toEqual(["sleep 60"]);
  });

  it("gives its port back: a server started by a test is gone", async () => {
    const port = await freePort();
    const file = join(folder(), "pids");
    const server = `require("net").createServer().listen(${port}, "127.0.0.1", () => console.log("up"))`;

    const { leftBehind } = await run(
      `setsid ${process.execPath} -e '${server}' & echo $! >> ${file}; until grep -q up "$OUT"; do sleep 0.02; done`,
      {
        env: { PATH: process.env["PATH"], OUT: join(home, "server.txt") },
        outputFile: join(home, "server.txt"),
      },
    );

    expect(leftBehind.join()).toContain("createServer");
    expect(await alive(pidsIn(file))).toEqual([]);
    expect(await canListen(port)).toBe(true);
  });
});

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        resolve(typeof address === "object" && address !== null ? address.port : 0),
      );
    });
  });
}
