import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/repository.ts";

const launcher = join(import.meta.dirname, "..", "..", "bin", "kit.cjs");

/** The launcher alone in a folder, beside a `dist` that a test writes. */
function installed(files: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder();
  cpSync(launcher, join(folder, "bin", "kit.cjs"));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, "dist"), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return join(folder, "bin", "kit.cjs");
}

function run(file: string, version?: string): { code: number | null; out: string; err: string } {
  // An old Node is told by its version alone: this one runs the launcher under an old one's name.
  const pretend = `Object.defineProperty(process.versions, "node", { value: ${JSON.stringify(version)} });`;
  const preload = join(file, "..", "preload.cjs");
  writeFileSync(preload, version === undefined ? "" : pretend);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-r", preload, file], {
    encoding: "utf8",
  });
  return { code: status, out: stdout, err: stderr };
}

test.each(["0.10.48", "18.20.8", "20.19.0", "22.18.0"])(
  "Node %s is too old: one line, exit 2",
  (version) => {
    const { code, out, err } = run(installed(), version);

    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^kit needs Node 22\.19 or newer; this is v\d+\.\d+\.\d+\.\n$/);
  },
);

test("a package that was not built says how to build it", () => {
  const { code, err } = run(installed());

  expect(code).toBe(5);
  expect(err).toMatch(/^kit is not built: .*dist\/cli\.js is missing\. next: npm run build\n$/);
});

test.each(["22.19.0", "24.0.0", "26.1.0"])("on Node %s the bundle starts", (version) => {
  const file = installed({
    "dist/cli.js": "export function start() { console.log('started'); }",
    "dist/package.json": '{ "type": "module" }',
  });

  expect(run(file, version)).toEqual({ code: 0, out: "started\n", err: "" });
});

test("the launcher is written in the syntax of ES5", () => {
  const text = readFileSync(launcher, "utf8");

  expect(text).not.toMatch(/=>|`|\b(?:let|const|class|async|await|import)\b|\?\.|\?\?|,\s*\)/);
});

test("what is printed reaches a pipe that is closed early without a word", () => {
  const command = `node ${JSON.stringify(launcher)} --help | head -1`;

  const out = execFileSync("bash", ["-o", "pipefail", "-c", `${command} 2>&1`], {
    encoding: "utf8",
  });

  expect(out).toBe("Usage: kit [options] [command]\n");
});
