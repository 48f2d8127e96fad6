import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createPiAdapter, type PiAdapterOptions } from "../../src/adapters/index.ts";
import type { Adapter } from "../../src/contracts/index.ts";
import { temporaryFolder, writeFiles } from "../support/repository.ts";
import { privateEnvironment } from "./support.ts";

export interface StandIn {
  readonly adapter: Adapter;
  readonly file: string;
  readonly env: Record<string, string | undefined>;
  /** What the program noted by `note(name, value)`; undefined where it did not. */
  noted(name: string): string | undefined;
}

/**
 * An adapter whose pi is a script of ours, for faults of the program that the real pi does not
 * show on demand. What it prints has the shape of pi 1.6; nothing here proves that pi behaves so.
 * `body` runs with `prompt()`, `answer(text)`, `settle()`, `note(name, value)` and `args`.
 */
export function standInPi(
  body: string,
  options: Partial<PiAdapterOptions> & { readonly version?: string } = {},
): StandIn {
  const folder = temporaryFolder();
  const { version = 'console.log("1.6.0")', ...rest } = options;
  writeFiles(folder, {
    "pi.mjs": `
      import { appendFileSync, writeFileSync } from "node:fs";
      import { spawn } from "node:child_process";
      import { setTimeout as sleep } from "node:timers/promises";
      const args = process.argv.slice(2);
      const note = (name, value) => writeFileSync(${JSON.stringify(folder)} + "/noted-" + name, String(value));
      if (args[0] === "--version") {
        appendFileSync(${JSON.stringify(folder)} + "/noted-versions", "x");
        ${version};
        process.exit();
      }
      const print = (line) => new Promise((done) => process.stdout.write(line, done));
      const prompt = async () => {
        const chunks = [];
        for await (const chunk of process.stdin) chunks.push(chunk);
        return Buffer.concat(chunks).toString();
      };
      const answerLine = (text) => JSON.stringify({ type: "message_end", message: {
        role: "assistant", content: [{ type: "text", text }], provider: "fake", model: "ok",
        usage: { input: 1, output: 1, totalTokens: 2, cost: { total: 0 } }, stopReason: "stop",
      } }) + "\\n";
      const answer = (text) => print(answerLine(text));
      const settle = () => print('{"type":"agent_settled","aborted":false}\\n');
      note("pid", process.pid);
      ${body}
    `,
  });
  const env = { ...privateEnvironment(), ...options.env };
  const file = join(folder, "pi.mjs");
  return {
    adapter: createPiAdapter({ program: file, ...rest, env }),
    file,
    env,
    noted(name) {
      try {
        return readFileSync(join(folder, `noted-${name}`), "utf8");
      } catch {
        return undefined;
      }
    },
  };
}

/** True while a process of this id runs. */
export function isAlive(pid: string | undefined): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
}
