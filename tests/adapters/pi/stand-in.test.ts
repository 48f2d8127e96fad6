import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { KitError } from "../../../src/contracts/index.ts";
import { isAlive, standInPi } from "../stand-in.ts";
import { callOf } from "../support.ts";

// Faults of the program, not of a provider: each pi here is a script of ours (see stand-in.ts).

const echo = `
  note("args", JSON.stringify(args));
  await answer("read: " + (await prompt()));
  await settle();
`;

describe("the prompt", () => {
  test.each([
    "- make add() add\n- keep the export",
    "--help",
    "-",
    "--model p9/x",
    "@/etc/passwd",
    "/quit",
  ])("%j arrives unchanged and becomes no option", async (prompt) => {
    const pi = standInPi(echo);

    const result = await pi.adapter.call(callOf("fake/ok", { prompt }));

    expect(result).toMatchObject({ ok: true, text: `read: ${prompt}` });
    const args = JSON.parse(pi.noted("args") ?? "") as string[];
    expect(args).not.toContain(prompt);
    expect(args[args.indexOf("--model") + 1]).toBe("fake/ok");
  });

  test("no argument grows with the prompt or the system prompt", async () => {
    const pi = standInPi(echo);
    const long = "x".repeat(500_000);

    const result = await pi.adapter.call(callOf("fake/ok", { prompt: long, systemPrompt: long }));

    expect(result).toMatchObject({ ok: true, text: `read: ${long}` });
    const args = JSON.parse(pi.noted("args") ?? "") as string[];
    expect(Math.max(...args.map((argument) => argument.length))).toBeLessThan(1000);
  });

  test("a blank prompt is refused before anything is started", async () => {
    const pi = standInPi(echo);

    await expect(pi.adapter.call(callOf("fake/ok", { prompt: " \n" }))).rejects.toThrow(
      "The prompt is empty",
    );
    expect(pi.noted("versions")).toBeUndefined();
  });

  test("a pi that exits without reading it does no harm", async () => {
    const pi = standInPi(`await answer("hi"); await settle(); process.exit(0);`);

    const result = await pi.adapter.call(callOf("fake/ok", { prompt: "x".repeat(2_000_000) }));

    expect(result.ok).toBe(true);
  });
});

describe("the working folder", () => {
  test("is private, holds the system prompt only during the call, and is the same each time", async () => {
    const body = `
      const { statSync, readFileSync } = await import("node:fs");
      const file = args[args.indexOf("--system-prompt") + 1];
      note("modes", [process.cwd(), file].map((path) => (statSync(path).mode & 0o777).toString(8)));
      note("system", readFileSync(file, "utf8"));
      note("settings", readFileSync(".pi/settings.json", "utf8"));
      note("file", file);
      process.exit(3);
    `;
    const pi = standInPi(body);

    await pi.adapter.call(callOf("fake/ok", { systemPrompt: "Be brief." }));

    const first = dirname(pi.noted("file") ?? "");
    expect(pi.noted("modes")).toBe("700,600");
    expect(pi.noted("system")).toBe("Be brief.");
    expect(JSON.parse(pi.noted("settings") ?? "")).toMatchObject({
      retry: { enabled: false, provider: { maxRetries: 0 } },
      compaction: { enabled: false },
    });
    expect(readdirSync(first)).toEqual([".pi"]);
    await pi.adapter.call(callOf("fake/ok", { systemPrompt: "Another." }));
    expect(dirname(pi.noted("file") ?? "")).toBe(first);
    expect(statSync(dirname(first)).mode & 0o777).toBe(0o700);
  });

  test("that cannot be made is the environment's fault and says what to set", async () => {
    const pi = standInPi(echo, { env: { XDG_CACHE_HOME: "/dev/null/cache" } });

    await expect(pi.adapter.call(callOf("fake/ok"))).rejects.toMatchObject({
      kind: "environment",
      next: expect.stringContaining("XDG_CACHE_HOME") as string,
    });
  });
});

describe("what pi prints", () => {
  test("is read byte by byte without losing a character", async () => {
    const pi = standInPi(`
      for (const byte of Buffer.from(answerLine("// — 😀 あ"))) await print(Buffer.from([byte]));
      for (const byte of Buffer.from("警告\\n")) process.stderr.write(Buffer.from([byte]));
      await settle();
    `);

    const result = await pi.adapter.call(callOf("fake/ok"));

    expect(result).toMatchObject({
      ok: true,
      text: "// — 😀 あ",
      notes: ["pi said on stderr: 警告"],
    });
  });

  test("in front of the answer and on stderr is kept apart from it", async () => {
    const pi = standInPi(`
      console.error("FILE: src/evil.js\\nbad");
      await print("Now using node v22.1.0 (npm v10)\\n");
      await answer("the answer");
      await settle();
    `);

    expect(await pi.adapter.call(callOf("fake/ok"))).toMatchObject({
      ok: true,
      text: "the answer",
      notes: [
        "pi printed: Now using node v22.1.0 (npm v10)",
        "pi said on stderr: FILE: src/evil.js\nbad",
      ],
    });
  });

  test("has no colour, also where kit's own environment forces it", async () => {
    const pi = standInPi(
      `const { FORCE_COLOR, CLICOLOR_FORCE, NO_COLOR } = process.env;
       await answer(JSON.stringify([FORCE_COLOR, CLICOLOR_FORCE, NO_COLOR]) + "\\u001b[0m"); await settle();`,
      { env: { FORCE_COLOR: "3", CLICOLOR_FORCE: "1" } },
    );

    expect(await pi.adapter.call(callOf("fake/ok"))).toMatchObject({ text: '[null,null,"1"]' });
  });

  test("at the end of the answer is complete also when pi then never exits", async () => {
    const pi = standInPi(`await answer("whole"); await settle(); setInterval(() => {}, 1000);`, {
      lingerMs: 50,
    });

    const result = await pi.adapter.call(callOf("fake/ok"));

    expect(result).toMatchObject({
      ok: true,
      text: "whole",
      notes: ["pi did not end after its last word; kit ended it"],
    });
    expect(isAlive(pi.noted("pid"))).toBe(false);
  });
});

describe("how pi ends", () => {
  test("by a kill from outside: named so, no time-out claimed", async () => {
    const pi = standInPi(
      `await answer("whole"); process.kill(process.pid, "SIGKILL"); await sleep(9000);`,
    );

    expect(await pi.adapter.call(callOf("fake/ok"))).toMatchObject({
      ok: false,
      failure: { kind: "provider_unknown", message: expect.stringContaining("SIGKILL") as string },
      partialText: "whole",
    });
  });

  test("by kit's deadline: named so, and neither pi nor what it started is left", async () => {
    const pi = standInPi(`
      note("child", spawn("sleep", ["600"], { detached: true, stdio: "ignore" }).pid);
      process.on("SIGTERM", () => {});
      setInterval(() => console.log('{"type":"turn_start"}'), 50);
    `);

    const result = await pi.adapter.call(callOf("fake/ok", { timeoutMs: 600 }));

    expect(result).toMatchObject({
      failure: {
        kind: "timeout",
        message: expect.stringContaining("time-out after 0.6 s") as string,
      },
    });
    expect([isAlive(pi.noted("pid")), isAlive(pi.noted("child"))]).toEqual([false, false]);
  });

  test("by the caller: nothing is left, and nothing is started after it", async () => {
    const pi = standInPi(`console.log('{"type":"agent_start"}'); setInterval(() => {}, 1000);`);
    const stop = new AbortController();
    const call = pi.adapter.call(callOf("fake/ok", { signal: stop.signal }));
    await expect.poll(() => pi.noted("pid")).toBeDefined();
    stop.abort();

    expect(await call).toMatchObject({ ok: false, failure: { kind: "interrupted" } });
    expect(isAlive(pi.noted("pid"))).toBe(false);
    expect(await pi.adapter.call(callOf("fake/ok", { signal: stop.signal }))).toMatchObject({
      failure: { kind: "interrupted" },
    });
  });
});

describe("the version", () => {
  test("is asked once for a program, and again when the program changed", async () => {
    const pi = standInPi(echo);

    expect(await pi.adapter.check()).toEqual({ program: pi.file, version: "1.6.0" });
    await pi.adapter.check();
    expect(pi.noted("versions")).toBe("x");
    utimesSync(pi.file, new Date(1), new Date(1));
    await pi.adapter.check();
    expect(pi.noted("versions")).toBe("xx");
  });

  test("is also read from stderr, where older pi prints it, with colour and warnings around", async () => {
    const version = `console.error("warn: something\\n\\u001b[1m0.73.1\\u001b[0m")`;

    expect(await standInPi(echo, { version }).adapter.check()).toMatchObject({ version: "0.73.1" });
  });

  test.each([
    ["too old", `console.log("0.72.9")`, "pi 0.72.9 is too old; kit needs 0.73 or newer"],
    [
      "a Node too old for it",
      `console.error("SyntaxError: x"); process.exit(1)`,
      "does not run on the Node",
    ],
    ["no version", `console.log("hello"); process.exit(0)`, "does not say its version"],
  ])("%s is the environment's fault, with what mends it", async (_, version, message) => {
    const checking = standInPi(echo, { version }).adapter.check();

    await expect(checking).rejects.toThrow(message);
    await expect(checking).rejects.toBeInstanceOf(KitError);
    await expect(checking).rejects.toHaveProperty("next", expect.any(String));
  });

  test("is forgotten when pi then does not know its options", async () => {
    const pi = standInPi(`console.error("Error: Unknown option: --approve"); process.exit(1);`);

    const result = await pi.adapter.call(callOf("fake/ok"));

    expect(result).toMatchObject({
      failure: { kind: "environment", mend: expect.any(String) as string },
    });
    await pi.adapter.check();
    expect(pi.noted("versions")).toBe("xx");
  });

  test("a cache that is no JSON is asked again", async () => {
    const pi = standInPi(echo);
    await pi.adapter.check();
    writeFileSync(join(pi.env.HOME ?? "", ".cache/kit/pi/versions.json"), "{torn");

    expect(await pi.adapter.check()).toMatchObject({ version: "1.6.0" });
  });
});

test("a model list that does not come is the environment's fault", async () => {
  const pi = standInPi(`console.error("boom"); process.exit(1);`);

  await expect(pi.adapter.models()).rejects.toThrow("pi did not list its models (exit): boom");
});
