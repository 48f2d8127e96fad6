import { mkdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RecordedEvent } from "../../src/contracts/index.ts";
import { continueRun, createRun, readRun, recordProcesses } from "../../src/runs/index.ts";
import { git, repository, snapshot } from "../support/repository.ts";
import { escalatedRun, newRun, tickingClock } from "./support.ts";

const note = (message: string) => ({ type: "note", level: "info", message }) as const;

const applied = (transaction: string) => ({ type: "applied", attempt: 1, transaction }) as const;

function linesOf(folder: string): RecordedEvent[] {
  const text = readFileSync(join(folder, "events.jsonl"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as RecordedEvent);
}

test("an event that something rests on is on disk and numbered before emit resolves, then readers see it in order", async () => {
  const run = await newRun();
  const seen: string[] = [];
  run.subscribe((event) => seen.push(`first ${event.seq} of ${linesOf(run.folder).length}`));
  run.subscribe((event) => seen.push(`second ${event.seq}`));

  await run.emit(applied("one"));
  await run.emit(applied("two"));

  expect(linesOf(run.folder)).toEqual([
    { v: 1, seq: 1, at: "2026-11-30T19:14:30.000Z", ...applied("one") },
    { v: 1, seq: 2, at: "2026-11-30T19:14:31.000Z", ...applied("two") },
  ]);
  expect(seen).toEqual(["first 1 of 1", "second 1", "first 2 of 2", "second 2"]);
  await run.close();
});

test("a note that nothing rests on is on disk with the next event that something does", async () => {
  const run = await newRun();

  await run.emit(note("one"));
  await run.emit(applied("two"));

  expect(linesOf(run.folder).map(({ type }) => type)).toEqual(["note", "applied"]);
  await run.close();
});

test("events emitted at once keep their order, a great many too", async () => {
  const run = await newRun();
  const messages = Array.from({ length: 300 }, (_, index) => `note ${index}`);

  await Promise.all(messages.map((message) => run.emit(note(message))));
  await run.close();

  const lines = linesOf(run.folder);
  expect(lines.map((event) => event.type === "note" && event.message)).toEqual(messages);
  expect(lines.map(({ seq }) => seq)).toEqual(messages.map((_, index) => index + 1));
});

test("an event that cannot be written fails its emit, or the next one where nothing rested on it", async () => {
  const run = await newRun();
  await run.close();

  await expect(run.emit(applied("too late"))).rejects.toThrow(/closed|EBADF/);
  await run.emit(note("too late"));
  await expect(run.emit(applied("too late"))).rejects.toThrow(/closed|EBADF/);
});

test("an event that names a content which could not be kept fails; others go on", async () => {
  const run = await newRun();
  rmSync(join(run.folder, "objects"), { recursive: true });
  writeFileSync(join(run.folder, "objects"), "");

  const prompt = run.object("what nobody can keep");

  const call = { step: "coder", attempt: 1, call: 1, prompt, promptTokens: 5 } as const;
  await expect(run.emit({ type: "call_started", ...call })).rejects.toThrow(/ENOTDIR/);
  await run.emit(applied("one"));
  expect(linesOf(run.folder).map(({ seq, type }) => [seq, type])).toEqual([[1, "applied"]]);
});

test("a reader that left sees nothing more", async () => {
  const run = await newRun();
  const seen: number[] = [];
  const leave = run.subscribe(({ seq }) => seen.push(seq));

  await run.emit(applied("one"));
  leave();
  await run.emit(applied("two"));

  expect(seen).toEqual([1]);
  await run.close();
});

test("secrets are redacted in events and in stored texts", async () => {
  const secret = `sk-${"a1B2".repeat(10)}`;
  const run = await newRun();

  const hash = run.object(`OPENAI_API_KEY=${secret}\n`);
  await run.emit(note(`the key is ${secret}`));
  await run.emit(applied("one"));

  expect(readFileSync(join(run.folder, "events.jsonl"), "utf8")).not.toContain(secret);
  expect(readFileSync(join(run.folder, "objects", hash), "utf8")).not.toContain(secret);
  await run.close();
});

test("a content is kept once, under its SHA-256, and has names for people", async () => {
  const run = await newRun();

  const hash = run.object("hello\n", "attempts/1/prompt");
  const again = run.object(Buffer.from("hello\n"), "attempts/1/prompt");
  await run.emit(applied("one"));

  expect(hash).toBe("5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03");
  expect(again).toBe(hash);
  expect(readFileSync(join(run.folder, "attempts/1/prompt"), "utf8")).toBe("hello\n");
  expect(readlinkSync(join(run.folder, "attempts/1/prompt"))).toBe(`../../objects/${hash}`);
  await run.close();
});

test.each(["../x", "/etc/x", "a//b", "", ".hidden", "a/../b"])(
  "%j is refused as the name of a record",
  async (name) => {
    const run = await newRun();

    expect(() => run.object("x", name)).toThrow(RangeError);
    await run.close();
  },
);

test("records are private to the user and invisible to git", async () => {
  const root = repository({ "a.txt": "a\n" });
  const run = await newRun(join(root, ".kit", "runs"));
  const hash = run.object("x", "attempts/1/reply");
  await run.emit(note("one"));
  await run.close();

  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
  expect(git(root, "status", "--porcelain", "--untracked-files=all")).toBe("");
  for (const path of ["", "objects", "attempts", "attempts/1"]) {
    expect(modeOf(join(run.folder, path))).toBe("700");
  }
  for (const path of ["events.jsonl", "receipt.json", `objects/${hash}`]) {
    expect(modeOf(join(run.folder, path))).toBe("600");
  }
});

test("an id that is taken is a conflict", async () => {
  const run = await newRun();
  const again = createRun({
    folder: join(run.folder, ".."),
    id: run.id,
    clock: tickingClock(),
  });

  await expect(again).rejects.toMatchObject({ kind: "conflict" });
  await run.close();
});

test("a step runs its effect once; a continued run reads the result from the log", async () => {
  const run = await newRun();
  let effects = 0;
  const effect = () => Promise.resolve({ text: "reply", costUsd: 0.5, count: (effects += 1) });

  const first = await run.step("coder/1/call/1", "hash of the input", effect);
  const second = await run.step("coder/1/call/1", "hash of the input", effect);
  await run.close();
  const continued = await continueRun({
    folder: join(run.folder, ".."),
    id: run.id,
    clock: tickingClock(),
  });
  const third = await continued.step("coder/1/call/1", "hash of the input", effect);
  const other = await continued.step("coder/1/call/1", "hash of another input", effect);
  await continued.close();

  expect([first.count, second.count, third.count, other.count]).toEqual([1, 1, 1, 2]);
});

test("a paid reply is on disk with what says that it was paid", async () => {
  const run = await newRun();
  const call = { step: "coder", attempt: 1, call: 1, ok: true, durationMs: 1 } as const;

  await run.step("call coder strong 1", "hash of the prompt", () => Promise.resolve("the reply"));
  await run.emit({ type: "call_finished", ...call });

  const [effect, finished] = linesOf(run.folder);
  expect([effect?.type, finished?.type]).toEqual(["effect_finished", "call_finished"]);
  const kept = effect?.type === "effect_finished" ? effect.result : "";
  expect(readFileSync(join(run.folder, "objects", kept), "utf8")).toBe('"the reply"');
  await run.close();
});

test("a failed step is not recorded and runs again", async () => {
  const run = await newRun();

  const failing = run.step("key", "input", () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");

  expect(await run.step("key", "input", () => Promise.resolve(7))).toBe(7);
  await run.close();
});

test("a step whose result holds a secret gives it whole and is never replayed from the record", async () => {
  const reply = `const key = "sk-${"a1B2".repeat(10)}";`;
  const run = await newRun();
  let effects = 0;
  const effect = () => {
    effects += 1;
    return Promise.resolve({ reply });
  };

  expect(await run.step("key", "input", effect)).toEqual({ reply });
  expect(await run.step("key", "input", effect)).toEqual({ reply });

  expect(effects).toBe(2);
  expect([...snapshot(run.folder, []).keys()]).toEqual(["events.jsonl", "objects"]);
  await run.close();
});

test("a continued run cuts a torn line off and counts on", async () => {
  const run = await newRun();
  await run.emit(note("one"));
  await run.close();
  const file = join(run.folder, "events.jsonl");
  writeFileSync(file, `${readFileSync(file, "utf8")}{"v":1,"seq":2,"at":"2026`);

  const options = { folder: join(run.folder, ".."), id: run.id, clock: tickingClock() };
  const continued = await continueRun(options);
  await continued.emit(note("two"));
  await continued.close();

  expect(linesOf(run.folder).map(({ seq }) => seq)).toEqual([1, 2]);
});

test("closing writes the receipt that the events add up to, however the run ended", async () => {
  const finished = await newRun();
  for (const event of escalatedRun) await finished.emit(event);
  await finished.close();
  const interrupted = await newRun();
  for (const event of escalatedRun.slice(0, -1)) await interrupted.emit(event);
  await interrupted.close();

  const receiptIn = (folder: string): unknown =>
    JSON.parse(readFileSync(join(folder, "receipt.json"), "utf8"));
  const { receipt } = await readRun(join(finished.folder, ".."));
  expect(receiptIn(finished.folder)).toEqual(receipt);
  expect(receiptIn(finished.folder)).toMatchObject({ outcome: "success", exitCode: 0 });
  expect(receiptIn(interrupted.folder)).toMatchObject({ outcome: "interrupted", exitCode: 130 });
});

test("children of the process runner are in the log while they are recorded", async () => {
  const { channel } = await import("node:diagnostics_channel");
  const run = await newRun();

  const stop = recordProcesses(run.emit);
  channel("kit:process").publish({ phase: "start", id: "7", label: "pi" });
  channel("kit:process").publish({ phase: "end", id: "7", label: "pi", durationMs: 12 });
  stop();
  channel("kit:process").publish({ phase: "start", id: "8", label: "git" });
  await run.close();

  expect(linesOf(run.folder).map(({ seq: _seq, at: _at, v: _v, ...event }) => event)).toEqual([
    { type: "process_started", process: "7", label: "pi" },
    { type: "process_finished", process: "7", label: "pi", durationMs: 12 },
  ]);
});

test("records folders that exist keep their own .gitignore", async () => {
  const root = repository({ "a.txt": "a\n" });
  const folder = join(root, ".kit", "runs");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, ".gitignore"), "# mine\n*\n");

  const run = await newRun(folder);
  await run.close();

  expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe("# mine\n*\n");
});
