import diagnosticsChannel from "node:diagnostics_channel";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import {
  runProcess,
  type ProcessAnnouncement,
  type ProcessRequest,
  type ProcessResult,
} from "../../../src/lib/processes/index.ts";
import { alive, pidsIn, until } from "./alive.ts";

const path = { PATH: process.env["PATH"] };

// Not `temporaryFolder`: tests that run at the same time cannot say whose it is.
const home = realpathSync(mkdtempSync(join(tmpdir(), "kit-test-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const folder = (): string => mkdtempSync(join(home, "t-"));

function shell(line: string, rest: Partial<ProcessRequest> = {}): Promise<ProcessResult> {
  return runProcess({ program: "/bin/sh", args: ["-c", line], cwd: "/", env: path, ...rest });
}

/** A node program, for output that no shell can make. */
function script(text: string, rest: Partial<ProcessRequest> = {}): Promise<ProcessResult> {
  return runProcess({
    program: process.execPath,
    args: ["-e", text],
    cwd: "/",
    env: path,
    ...rest,
  });
}

describe("the result of runProcess", () => {
  it("holds both outputs, the exit code and the time", async () => {
    const result = await shell("echo out; echo err >&2; exit 3");

    expect(result.ended).toEqual({ by: "exit", code: 3 });
    expect(result.stdout.toString()).toBe("out\n");
    expect(result.stderr).toBe("err\n");
    expect(result.leftBehind).toEqual([]);
    expect(result.durationMs).toBeGreaterThan(0);
  });

  it("names the signal that ended the child, and no limit of kit's", async () => {
    const result = await shell("kill -9 $$", { timeoutMs: 20_000 });

    expect(result.ended).toEqual({ by: "signal", signal: "SIGKILL" });
  });

  it("holds every byte of stdout as it was written", async () => {
    const result = await script(
      "process.stdout.write(Buffer.from(Array.from({ length: 256 * 1024 }, (_, i) => i % 256)))",
    );

    expect(result.stdout.length).toBe(256 * 1024);
    expect(result.stdout.every((byte, index) => byte === index % 256)).toBe(true);
  });

  it("keeps characters whole that arrive in two pieces, on stderr too", async () => {
    const result = await script(`
      const bytes = Buffer.from("— 😀 あ\\n");
      let at = 0;
      const next = () => {
        if (at === bytes.length) return;
        const piece = bytes.subarray(at, ++at);
        process.stdout.write(piece, () => process.stderr.write(piece, () => setImmediate(next)));
      };
      next();
    `);

    expect(result.stdout.toString()).toBe("— 😀 あ\n");
    expect(result.stderr).toBe("— 😀 あ\n");
  });

  it("keeps the last 64 KB of stderr, no character cut", async () => {
    const result = await script(`process.stderr.write("é".repeat(200000) + "the end")`);

    expect(result.stderr.endsWith("éthe end")).toBe(true);
    expect(Buffer.byteLength(result.stderr)).toBeLessThanOrEqual(65_536);
    expect(Buffer.byteLength(result.stderr)).toBeGreaterThan(65_000);
    expect(result.stderr).not.toContain("\ufffd");
  });

  it("gives what a child wrote before a limit ended it", async () => {
    const result = await shell("echo first; echo warning >&2; sleep 30", { timeoutMs: 300 });

    expect(result.ended).toEqual({ by: "deadline" });
    expect(result.stdout.toString()).toBe("first\n");
    expect(result.stderr).toBe("warning\n");
  });
});

describe("the environment of a child", () => {
  it("is the given one and kit's marker, nothing else", async () => {
    vi.stubEnv("MY_SECRET", "x");
    const result = await runProcess({
      program: "env",
      args: [],
      cwd: "/",
      env: { ...path, A: "1", B: undefined },
    });
    vi.unstubAllEnvs();

    const names = result.stdout
      .toString()
      .trim()
      .split("\n")
      .map((line) => line.split("=")[0]);
    expect(new Set(names)).toEqual(new Set(["A", "KIT_PROCESS", "PATH"]));
  });

  it("carries on the marker of a kit around this one", async () => {
    vi.stubEnv("KIT_PROCESS", "outer.7;");
    const result = await shell('echo "$KIT_PROCESS"', { env: { ...path, KIT_PROCESS: "stale" } });
    vi.unstubAllEnvs();

    expect(result.stdout.toString()).toMatch(/^outer\.7;[0-9a-f]{16}\.\d+;\n$/);
  });

  it("has no terminal", async () => {
    const result = await shell("cat </dev/tty || echo none");

    expect(result.stdout.toString()).toContain("none");
  });
});

describe("standard input", () => {
  it("is at its end where none is given", async () => {
    const result = await shell("cat; echo end", { timeoutMs: 10_000 });

    expect(result.stdout.toString()).toBe("end\n");
  });

  it("arrives byte for byte, however large", async () => {
    const input = Buffer.alloc(3_000_000, "0123456789\0ü");

    const result = await runProcess({ program: "cat", args: [], cwd: "/", env: path, input });

    expect(result.stdout.equals(input)).toBe(true);
  });

  it("does no harm when the child does not read it", async () => {
    const result = await shell("exec <&-; echo done", { input: "x".repeat(5_000_000) });

    expect(result.ended).toEqual({ by: "exit", code: 0 });
    expect(result.stdout.toString()).toBe("done\n");
  });
});

describe("what cannot be started", () => {
  it.each<[string, Partial<ProcessRequest>, string, RegExp]>([
    ["no such program", { program: "no-such-program" }, "ENOENT", /no-such-program/],
    ["no such folder", { cwd: "/no/such/folder" }, "ENOENT", /folder \/no\/such\/folder/],
    ["a folder as program", { program: "/tmp" }, "EACCES", /\/tmp/],
    ["an argument over 128 KiB", { args: ["x".repeat(200_000)] }, "E2BIG", /E2BIG/],
    ["NUL in an argument", { args: ["a\0b"] }, "ERR_INVALID_ARG_VALUE", /null bytes/],
    ["NUL in the environment", { env: { A: "a\0b" } }, "ERR_INVALID_ARG_VALUE", /null bytes/],
    ["an empty program name", { program: "" }, "ERR_INVALID_ARG_VALUE", /empty/],
  ])("is told as a value: %s", async (_, request, code, message) => {
    const result = await runProcess({ program: "true", args: [], cwd: "/", env: path, ...request });

    expect(result.ended).toMatchObject({ by: "spawn_error", code });
    expect(result.ended).toHaveProperty("message", expect.stringMatching(message));
  });
});

describe("lines of stdout", () => {
  async function linesOf(text: string, rest: Partial<ProcessRequest> = {}) {
    const lines: string[] = [];
    const result = await script(text, {
      onStdoutLine: (line) => lines.push(line.toString()),
      ...rest,
    });
    return { lines, result };
  }

  it("are split at LF only, without it; the last one needs none", async () => {
    const { lines, result } = await linesOf(
      `process.stdout.write("a\\r\\n\\nb\\u2028c\\rd\\n" + "e".repeat(300000) + "\\nlast")`,
    );

    expect(lines).toEqual(["a\r", "", "b\u2028c\rd", "e".repeat(300_000), "last"]);
    expect(result.stdout.length).toBe(0);
    expect(result.ended).toEqual({ by: "exit", code: 0 });
  });

  it("are bounded: a longer one ends the child by overflow", async () => {
    const { lines, result } = await linesOf(
      `process.stdout.write("ok\\n"); const x = "x".repeat(65536);
       const more = () => process.stdout.write(x, more); more();`,
      { maxStdoutBytes: 1_000_000 },
    );

    expect(result.ended).toEqual({ by: "overflow" });
    expect(lines).toEqual(["ok"]);
  });

  it("may be more than the bound together", async () => {
    const { lines, result } = await linesOf(
      `for (let i = 0; i < 2000; i += 1) console.log("y".repeat(99))`,
      { maxStdoutBytes: 1000 },
    );

    expect(result.ended).toEqual({ by: "exit", code: 0 });
    expect(lines.length).toBe(2000);
  });
});

describe("a caller's mistake", () => {
  it("in onStdoutLine ends the child and reaches the caller", async () => {
    const file = join(folder(), "pids");
    const running = shell(`echo $$ >> ${file}; echo a; sleep 60`, {
      onStdoutLine: () => {
        throw new TypeError("not a line I know");
      },
    });

    await expect(running).rejects.toThrow("not a line I know");
    expect(await alive(pidsIn(file))).toEqual([]);
  });
});

describe.concurrent("limits", () => {
  it("end a child that prints more than maxStdoutBytes; that much is kept", async () => {
    const result = await shell("yes", { maxStdoutBytes: 100_001, timeoutMs: 20_000 });

    expect(result.ended).toEqual({ by: "overflow" });
    expect(result.stdout.length).toBe(100_001);
  });

  it("tell an overflow also when the child was done by then", async () => {
    const result = await shell("echo 123456789", { maxStdoutBytes: 5 });

    expect(result.ended).toEqual({ by: "overflow" });
    expect(result.stdout.toString()).toBe("12345");
  });

  it("end a silent child by idle, not one that keeps printing", async () => {
    const talking = await shell("for i in 1 2 3 4 5 6 7 8 9 0 1 2; do echo $i; sleep 0.1; done", {
      idleTimeoutMs: 1000,
    });
    const silent = await shell("echo 1; sleep 30", { idleTimeoutMs: 200 });

    expect(talking.ended).toEqual({ by: "exit", code: 0 });
    expect(silent.ended).toEqual({ by: "idle" });
    expect(silent.durationMs).toBeLessThan(10_000);
  });

  it("end by abort; an aborted signal starts nothing", async () => {
    const file = join(folder(), "started");
    const abort = new AbortController();
    const running = shell(`touch ${file}; sleep 30`, { signal: abort.signal });
    await until(() => existsSync(file));
    abort.abort();
    const never = join(folder(), "never");

    expect((await running).ended).toEqual({ by: "abort" });
    expect((await shell(`touch ${never}`, { signal: AbortSignal.abort() })).ended).toEqual({
      by: "abort",
    });
    expect(existsSync(never)).toBe(false);
  });

  it("let a child say goodbye at SIGTERM", async () => {
    const result = await shell("trap 'echo bye; exit 0' TERM; while :; do sleep 0.05; done", {
      timeoutMs: 200,
    });

    expect(result.ended).toEqual({ by: "deadline" });
    expect(result.stdout.toString()).toBe("bye\n");
  });

  it("end one that ignores SIGTERM within 2 s", async () => {
    const result = await shell("trap '' TERM; while :; do sleep 0.05; done", { timeoutMs: 200 });

    expect(result.ended).toEqual({ by: "deadline" });
    expect(result.durationMs).toBeLessThan(10_000);
  });

  it("may be longer than a timer can be", async () => {
    const result = await shell("sleep 0.05; echo ok", { timeoutMs: 1e12 });

    expect(result.stdout.toString()).toBe("ok\n");
  });
});

describe.concurrent("what a child started", () => {
  const starting = {
    "in the background": "sleep 60 &",
    "in its own session": "setsid sleep 60 &",
    "without its environment": "env -i sleep 60 &",
    "that ignores SIGTERM": "sh -c \"trap '' TERM; sleep 60; sleep 60\" &",
    "in a session below another": "setsid sh -c 'setsid sleep 60 & sleep 61' &",
  };

  it.each(Object.entries(starting))("%s is ended with it at a limit", async (_, line) => {
    const file = join(folder(), "pids");

    const result = await shell(`${line} echo $! >> ${file}; sleep 62`, { timeoutMs: 300 });

    expect(result.ended).toEqual({ by: "deadline" });
    expect(pidsIn(file)).toHaveLength(1);
    expect(await alive(pidsIn(file))).toEqual([]);
  });

  it.each(Object.entries(starting))(
    "%s is ended after its own exit, and named",
    async (_, line) => {
      const file = join(folder(), "pids");

      const result = await shell(`${line} echo $! >> ${file}; echo done`);

      expect(result.ended).toEqual({ by: "exit", code: 0 });
      expect(result.stdout.toString()).toBe("done\n");
      expect(result.leftBehind.join()).toContain("sleep 60");
      expect(await alive(pidsIn(file))).toEqual([]);
    },
  );

  it("is ended when it left group, session and environment, as long as its parent lives", async () => {
    const file = join(folder(), "pids");

    await shell(`env -i setsid sh -c 'echo $$ >> ${file}; exec sleep 60' & sleep 61`, {
      timeoutMs: 300,
    });

    expect(pidsIn(file)).toHaveLength(1);
    expect(await alive(pidsIn(file))).toEqual([]);
  });

  it("does not hold the call up when it is out of reach and keeps the pipe open", async () => {
    const file = join(folder(), "pids");

    const result = await shell(
      `env -i setsid sh -c 'echo $$ >> ${file}; exec sleep 60' & until [ -s ${file} ]; do sleep 0.01; done; echo done`,
    );
    for (const pid of pidsIn(file)) process.kill(pid, "SIGKILL");

    expect(result.stdout.toString()).toBe("done\n");
    expect(result.durationMs).toBeLessThan(10_000);
  });

  it("is not blamed for ending a moment after its parent", async () => {
    const result = await shell("sleep 0.02 & echo done");

    expect(result.leftBehind).toEqual([]);
  });

  it("is named without its secrets", async () => {
    const result = await shell(`sh -c 'sleep 60; :' x --password=hunter2 & echo done`);

    expect(result.leftBehind.join()).toContain("--password=[redacted]");
  });
});

describe("announcements", () => {
  it("tell the start and the end of each child, not of one that did not start", async () => {
    const seen: ProcessAnnouncement[] = [];
    const listen = (message: unknown): unknown => seen.push(message as ProcessAnnouncement);
    diagnosticsChannel.subscribe("kit:process", listen);

    await shell("true", { label: "first" });
    await runProcess({ program: "true", args: [], cwd: "/", env: path });
    await runProcess({ program: "no-such-program", args: [], cwd: "/", env: path });
    diagnosticsChannel.unsubscribe("kit:process", listen);

    expect(seen.map(({ phase, label }) => `${phase} ${label}`)).toEqual([
      "start first",
      "end first",
      "start true",
      "end true",
    ]);
    expect(seen[0]?.id).toBe(seen[1]?.id);
    expect(seen[0]?.id).not.toBe(seen[2]?.id);
    expect(seen[1]?.durationMs).toBeGreaterThan(0);
  });
});
