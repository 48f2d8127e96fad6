/** Fields of a line, beside which `readOwnLines` reads it. */
const write = `
const lines = [];
const flush = () => {
  if (lines.length > 0) appendFileSync(file, lines.splice(0).join(""));
};
const say = (value) => {
  lines.push(JSON.stringify(value) + "\\n");
  if (lines.length >= 500) flush();
};
const why = (error) => {
  const text = error && (error.stack || error.message || String(error));
  return text === undefined || text === null ? undefined : String(text).slice(0, 4000);
};
`;

/**
 * A reporter for node:test, as the text of a module that stands in the report's folder: a file a
 * process, because a command can start several. It takes kit's words out of NODE_OPTIONS, so
 * that no process below it is asked too. A file in which no test ran is one passed test for
 * node; here it is none.
 * @param nodeOptions what the variable held before.
 */
export function nodeReporter(nodeOptions: string | undefined): string {
  return `import { appendFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { basename, resolve } from "node:path";
const file = fileURLToPath(new URL("node-" + process.pid + ".jsonl", import.meta.url));
const before = ${JSON.stringify(nodeOptions ?? null)};
if (before === null) delete process.env.NODE_OPTIONS;
else process.env.NODE_OPTIONS = before;
${write}
const isFile = (data) =>
  data.nesting === 0 && data.file !== undefined && resolve(data.name) === data.file;
export default async function* report(events) {
  const names = [];
  for await (const { type, data } of events) {
    if (type === "test:start") {
      names.length = data.nesting;
      names[data.nesting] = data.name;
    }
    if (type !== "test:pass" && type !== "test:fail") continue;
    const failed = type === "test:fail";
    const details = data.details ?? {};
    const error = details.error;
    const failureType = error && error.failureType;
    if (details.type === "suite" && (!failed || failureType === "subtestsFailed")) continue;
    if (isFile(data)) {
      if (failed && failureType !== "subtestsFailed")
        say({ file: data.file, names: [], status: "failed", message: why(error) });
      continue;
    }
    names.length = data.nesting;
    const isOff = (data.skip !== undefined && data.skip !== false) || (data.todo !== undefined && data.todo !== false);
    say({
      file: data.file,
      names: [...names, data.name],
      status: isOff ? "skipped" : failed ? "failed" : "passed",
      message: failed && !isOff ? why(error && error.cause ? error.cause : error) : undefined,
    });
  }
  say({ end: true });
  flush();
}
`;
}

/** A reporter for mocha, as the text of a module: its spec reporter, which also writes the tests down. */
export const mochaReporter = `"use strict";
const { appendFileSync, realpathSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join } = require("node:path");
const file = join(__dirname, "mocha-" + process.pid + ".jsonl");
const asks = module.parent || require.main || { filename: realpathSync(process.argv[1]) };
const mocha = createRequire(asks.filename)("mocha");
const Mocha = mocha.default || mocha;
${write}
const test = (one, status, error) =>
  say({ file: one.file, names: one.titlePath(), status, message: why(error) });
module.exports = class extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.on("pass", (one) => test(one, "passed"));
    runner.on("pending", (one) => test(one, "skipped"));
    runner.on("fail", (one, error) => test(one, "failed", error));
    runner.once("end", () => {
      say({ end: true });
      flush();
    });
  }
};
`;
