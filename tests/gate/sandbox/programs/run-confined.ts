// Stands for a kit of another user: runs a shell line in a tree, confined where that works.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSandbox, runTestCommand } from "../../../../src/gate/index.ts";
import { testEnvironment } from "../../../../src/gate/running/environment-variables.ts";

const [root = "", shell = ""] = process.argv.slice(2);
const sandbox = await openSandbox({
  mode: "auto",
  root,
  environment: process.env,
  network: false,
  writable: [],
  hookFolders: [],
});
const { output, ended } = await runTestCommand(
  { command: { shell }, cwd: root, source: { kind: "flag" }, trusted: true },
  {
    env: testEnvironment(process.env, []).env,
    timeoutMs: 30_000,
    signal: new AbortController().signal,
    outputFile: join(mkdtempSync(join(tmpdir(), "kit-test-")), "output.txt"),
  },
  sandbox,
);
await sandbox.close();
console.log(JSON.stringify({ confined: sandbox.confined, output, ended }));
