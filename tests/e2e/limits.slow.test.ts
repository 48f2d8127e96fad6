import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { noSmallDisk, repositoryOnFullDisk } from "./hostile-disks.ts";
import { peakMemoryOf, processesOf, survivorsAfter } from "./processes.ts";
import {
  asked,
  coderRule,
  crlfRepository,
  endsOf,
  fixedMath,
  grepTest,
  machine,
  packText,
  scenario,
  task,
  treeOf,
} from "./support.ts";

const hangs = "\n  - { when: { model: p1/first }, connection: hang }\n";

describe("a prompt of 500 KB", () => {
  test("reaches the model whole, and its reply is taken", async () => {
    const lines = Array.from({ length: 13_500 }, (_, n) => `// line ${n}: ${"あ—".repeat(4)}\n`);
    const big = lines.join("");
    const { home, root, run, server } = await machine({
      files: { ...crlfRepository, "src/big.js": big },
      scenario: scenario([coderRule("p1/first", "a + b")]).replace(
        "p1/first: {",
        "p1/first: { contextWindow: 1000000,",
      ),
      bindings: { first: { model: "p1/first", context_window: 1_000_000 } },
    });
    writeFileSync(join(home, "big.md"), packText(["src/math.js", "src/big.js"]));
    const { code } = await run(["--pack", join(home, "big.md"), "--test", grepTest]);
    expect(code).toBe(0);
    expect(Buffer.byteLength(big)).toBeGreaterThan(500_000);
    expect(server.requests[0]?.user.includes(big)).toBe(true);
    expect(server.requests[0]?.body).toMatchObject({ max_completion_tokens: 16_384 });
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toBe(fixedMath);
  });
});

describe("a model that hangs", () => {
  test("is ended while there is time for the next one, where the run has a limit", async () => {
    const { home, run, quick } = await machine({
      scenario: scenario([hangs, coderRule("p2/second", "a + b")]),
    });
    const { code, receipt } = await run([...quick, "--timeout", "8s"]);
    expect(code).toBe(0);
    expect(endsOf(receipt)).toEqual(["timeout", "ok"]);
    expect(receipt.attempts[0]?.failure?.message).toMatch(/time-out after [34](\.\d+)? s/);
    expect(receipt.totals.durationMs).toBeLessThan(8_000);
    expect(await survivorsAfter(home, 2_000)).toEqual([]);
  });

  test("is ended by the run's limit where nobody comes after it, and the receipt says so", async () => {
    const { home, root, run, quick } = await machine({
      scenario: scenario([hangs]),
      bindings: { first: "p1/first" },
    });
    const before = treeOf(root);
    const { code, receipt } = await run([...quick, "--timeout", "3s"]);
    expect(code).toBe(1);
    expect(receipt).toMatchObject({ outcome: "stopped", error: { kind: "deadline" } });
    expect(receipt.totals.durationMs).toBeLessThan(5_500);
    expect(treeOf(root)).toEqual(before);
    expect(await survivorsAfter(home, 2_000)).toEqual([]);
  });
});

describe("pi killed from outside", () => {
  test("is the provider's failure, named for what it was, and the next model is asked", async () => {
    const { home, server, start, quick } = await machine({
      scenario: scenario([hangs, coderRule("p2/second", "a + b")]),
    });
    const running = start(["run", task, "--json", ...quick]);
    while (server.requests.length === 0) await setTimeout(5);
    const victims = processesOf(home).filter((id) => id !== running.process.pid);
    expect(victims).not.toEqual([]);
    for (const id of victims) process.kill(id, "SIGKILL");
    const { code, stdout } = await running.ended;
    const receipt = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(endsOf(receipt)).toEqual(["provider_unknown", "ok"]);
    expect(receipt.attempts[0].failure.message).toContain("killed by SIGKILL");
    expect(asked(server)).toEqual(["p1/first", "p2/second"]);
  });
});

describe("a reply of 40 MB", () => {
  test("is too large, twice, costs kit little memory, and the next model is asked", async () => {
    const { start, quick } = await machine({
      scenario: scenario([
        '\n  - { when: { model: p1/first }, reply: { text: "0123456789abcde\\n", bytes: 41943040 } }\n',
        coderRule("p2/second", "a + b"),
      ]),
    });
    const running = start(["run", task, "--json", ...quick]);
    const [peak, { code, stdout }] = await Promise.all([
      peakMemoryOf(running.process),
      running.ended,
    ]);
    expect(code).toBe(0);
    const { attempts } = JSON.parse(stdout);
    expect(attempts).toMatchObject([
      { failure: { kind: "reply_too_large", message: "the reply is over 32 MiB" }, calls: 2 },
      { ok: true },
    ]);
    expect(peak).toBeLessThan(250);
  });
});

/** Hangs, does not listen to SIGTERM, and leaves children in sessions of their own. */
const stubborn = `trap '' TERM
setsid sh -c "trap '' TERM; sleep 300" &
(setsid sh -c "trap '' TERM; sleep 301" &)
sleep 302
`;

describe("a test command that hangs, ignores SIGTERM and leaves daemons", () => {
  test("is ended at its limit with all it started, on the baseline and on the change", async () => {
    const { home, root, run, quick } = await machine({
      files: { ...crlfRepository, "stubborn.sh": stubborn },
      scenario: scenario([coderRule("p1/first", "a + b")]),
      bindings: { first: "p1/first" },
      settings: "gate: { timeout: 2s }\nrepairs: off\n",
    });
    const before = treeOf(root);
    const { code, receipt } = await run([...quick.slice(0, 2), "--test", "sh stubborn.sh"]);
    expect(code).toBe(1);
    expect(endsOf(receipt)).toEqual(["tests_failed"]);
    expect(receipt.totals.durationMs).toBeLessThan(12_000);
    expect(treeOf(root)).toEqual(before);
    expect(await survivorsAfter(home, 500)).toEqual([]);
  });
});

describe.skipIf(noSmallDisk !== undefined)("a disk that fills up", () => {
  // Pages: no lock, no record, a record and no pre-image, a change and no room for the rest.
  test.for([1, 2, 3, 4, 6, 8, 12, 16, 24].map((pages) => pages * 4096))(
    "with %i bytes left: the run never lies nor waits, and the user's files are as they were",
    { timeout: 30_000 },
    async (freeBytes) => {
      const { root, kit, quick } = await machine({
        root: repositoryOnFullDisk(freeBytes),
        scenario: scenario([coderRule("p1/first", "a * b"), coderRule("p2/second", "a + b")]),
      });
      const before = treeOf(root);
      const { code, stdout, stderr } = await kit(["run", task, ...quick]);
      if (code === 0)
        before.set("src/math.js", `file 644 ${Buffer.from(fixedMath).toString("base64")}`);
      else
        expect({ code, said: stdout + stderr }).toMatchObject({
          code: 5,
          said: expect.stringMatching(/disk|space/i) as string,
        });
      expect(treeOf(root)).toEqual(before);
    },
  );

  test("filled by the tests of a wrong change, still lets that change be taken back", async () => {
    const { root, kit, quick } = await machine({
      root: repositoryOnFullDisk(128 * 4096),
      scenario: scenario([coderRule("p1/first", "a * b")]),
    });
    const before = treeOf(root);
    const fill = "grep -q 'a [*] b' src/math.js && cat /dev/zero > filled";
    const judge = `${fill} 2> /dev/null; grep -q 'a + b' src/math.js`;

    const { code } = await kit(["run", task, ...quick.slice(0, 2), "--test", judge]);

    expect(code).not.toBe(0);
    expect(existsSync(join(root, "filled"))).toBe(true);
    rmSync(join(root, "filled"));
    expect(treeOf(root)).toEqual(before);
  }, 30_000);
});
