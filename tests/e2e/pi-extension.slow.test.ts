import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { type Json, type RpcPi, startRpcPi } from "./pi-rpc.ts";
import {
  coderRule,
  crlfRepository,
  eventsIn,
  fixedMath,
  type Machine,
  machine,
  scenario,
  scoutRule,
  task,
  treeOf,
} from "./support.ts";

// kit inside the real pi: its extension is loaded from this package, as `pi install` would name it.

const pi = resolve("node_modules/.bin/pi");

const asksForKit = `
  - when: { model: p0/chat, call: 1 }
    reply: { tool: { name: kit_run, arguments: { task: ${JSON.stringify(task)} } } }
`;
const thanks = `
  - when: { model: p0/chat }
    reply: { text: "kit is done." }
`;
const hangs = `
  - when: { model: p1/first }
    reply: { text: "=== EDIT", ends: hang }
`;

/** A pi in the repository that has kit's package, and a model of its own. */
async function piWithKit(rules: readonly string[]): Promise<Machine & { readonly rpc: RpcPi }> {
  const script = scenario(rules, ["p0/chat", "p0/scout", "p1/first"]);
  const made = await machine({
    scenario: script,
    bindings: { cheap: "p0/scout", first: "p1/first" },
  });
  const settings = { packages: [resolve(".")], retry: { enabled: false } };
  writeFileSync(join(made.home, "pi", "settings.json"), JSON.stringify(settings));
  const { root: cwd, env } = made;
  return { ...made, rpc: startRpcPi(pi, ["--model", "p0/chat"], { cwd, env }) };
}

const math = (root: string): string => readFileSync(join(root, "src/math.js"), "utf8");

function isNotice(record: Json): boolean {
  return record["type"] === "extension_ui_request" && record["method"] === "notify";
}

/** Once the coder's model has been asked: the run is in its longest part. */
async function coderAsked({ server }: Machine): Promise<void> {
  const isAsked = (): boolean => server.requests.some(({ model }) => model === "first");
  await expect.poll(isAsked, { timeout: 60_000, interval: 20 }).toBe(true);
}

/** The run has ended by itself, as an interrupted one does, and left nothing. */
function expectUndone(root: string, before: Map<string, string>): void {
  expect(eventsIn(root).at(-1)).toMatchObject({ type: "run_finished", outcome: "interrupted" });
  expect(treeOf(root)).toEqual(before);
}

test("pi's model hands a task to kit, sees it go on, and reads how it ended", async () => {
  const { rpc, root, server } = await piWithKit([
    asksForKit,
    thanks,
    scoutRule,
    coderRule("p1/first", "a + b"),
  ]);

  rpc.send({ id: "1", type: "prompt", message: "Let kit mend the sum." });
  await rpc.saying(({ type }) => type === "agent_settled");

  const end = rpc.said.find(({ type }) => type === "tool_execution_end");
  const updates = rpc.said.filter(({ type }) => type === "tool_execution_update");
  expect(end).toMatchObject({
    toolName: "kit_run",
    isError: false,
    result: { details: { exitCode: 0, outcome: "success", changedFiles: ["src/math.js"] } },
  });
  expect(JSON.stringify(updates.at(-1))).toContain("coder 1: p1/first");
  expect(math(root)).toBe(fixedMath);
  const chat = server.requests.filter(({ model }) => model === "chat");
  expect(chat).toHaveLength(2);
  expect(JSON.stringify(chat[0]?.body)).toContain("kit_run");
  expect(JSON.stringify(chat[1]?.body)).toContain("kit: success");
  expect(await rpc.close()).toBe(0);
});

test("a run without success is an error of the tool, with kit's words", async () => {
  const { rpc, root } = await piWithKit([
    asksForKit,
    thanks,
    scoutRule,
    coderRule("p1/first", "a * b"),
  ]);

  rpc.send({ type: "prompt", message: "Let kit mend the sum." });
  await rpc.saying(({ type }) => type === "agent_settled");

  const end = rpc.said.find(({ type }) => type === "tool_execution_end");
  expect(end).toMatchObject({ isError: true, result: { details: { exitCode: 1 } } });
  expect(JSON.stringify(end)).toContain("kit: exhausted");
  expect(math(root)).toBe(crlfRepository["src/math.js"]);
});

test("a cancelled call ends kit, and what it wrote is undone", async () => {
  const made = await piWithKit([asksForKit, thanks, scoutRule, hangs]);
  const { rpc, root } = made;
  const before = treeOf(root);

  rpc.send({ type: "prompt", message: "Let kit mend the sum." });
  await coderAsked(made);
  rpc.send({ type: "abort" });
  await rpc.saying(({ type }) => type === "agent_settled");

  expect(rpc.said.find(({ type }) => type === "tool_execution_end")).toMatchObject({
    isError: true,
  });
  expectUndone(root, before);
});

test("/kit runs beside the session, one at a time, and its end reaches the person and the model", async () => {
  const made = await piWithKit([thanks, scoutRule, coderRule("p1/first", "a + b")]);
  const { rpc, root, server } = made;

  rpc.send({ id: "usage", type: "prompt", message: "/kit" });
  rpc.send({ id: "task", type: "prompt", message: `/kit ${task}` });
  rpc.send({ id: "again", type: "prompt", message: `/kit ${task}` });
  const handled = await rpc.saying(({ id }) => id === "again");
  await rpc.saying((record) => isNotice(record) && String(record["message"]).includes("success"));
  rpc.send({ type: "prompt", message: "What did kit do?" });
  await rpc.saying(({ type }) => type === "agent_settled");

  expect(handled).toMatchObject({ success: true, data: { disposition: "handled" } });
  const notices = rpc.said.filter(isNotice).map(({ message }) => String(message));
  expect(notices.slice(0, 2)).toEqual([
    expect.stringContaining("/kit TASK"),
    expect.stringContaining("at work already"),
  ]);
  const statuses = rpc.said
    .filter(({ method }) => method === "setStatus")
    .map(({ statusText }) => statusText);
  expect(statuses[0]).toBe("kit: started");
  expect(statuses).toContain("kit: coder 1: p1/first");
  expect(statuses.at(-1)).toBeUndefined();
  expect(math(root)).toBe(fixedMath);
  const chat = server.requests.filter(({ model }) => model === "chat");
  expect(chat).toHaveLength(1);
  expect(JSON.stringify(chat[0]?.body)).toContain("kit: success");
});

test("/kit stop ends the run and undoes it; a task is never an option or a line for a shell", async () => {
  const made = await piWithKit([scoutRule, hangs]);
  const { rpc, root } = made;
  const before = treeOf(root);

  rpc.send({ type: "prompt", message: `/kit --help; touch shell-ran $(touch ran) ${task}` });
  await coderAsked(made);
  rpc.send({ type: "prompt", message: "/kit stop" });
  await rpc.saying(
    (record) => isNotice(record) && String(record["message"]).includes("interrupted"),
  );

  expectUndone(root, before);
  expect(readdirSync(root).filter((name) => name.includes("ran"))).toEqual([]);
});

test("a pi that quits takes its runs with it", async () => {
  const made = await piWithKit([scoutRule, hangs]);
  const { rpc, root } = made;
  const before = treeOf(root);

  rpc.send({ type: "prompt", message: `/kit ${task}` });
  await coderAsked(made);
  expect(await rpc.close()).toBe(0);

  expectUndone(root, before);
  expect(existsSync(join(root, ".kit"))).toBe(true);
});
