import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findPi } from "../../../src/adapters/pi/program.ts";
import { thisMachine, type ProgramLookup } from "../../../src/adapters/program.ts";
import { KitError } from "../../../src/contracts/index.ts";
import { temporaryFolder, writeFiles } from "../../support/repository.ts";

function machine(platform: NodeJS.Platform, files: Record<string, string>): ProgramLookup {
  return {
    platform,
    node: platform === "win32" ? "C:\\node\\node.exe" : "/usr/bin/node",
    isProgram: (file) => Promise.resolve(file in files),
    read: (file) => Promise.resolve(files[file] ?? ""),
  };
}

describe("on Linux", () => {
  test("pi is found on PATH and started by itself", async () => {
    const lookup = machine("linux", { "/usr/bin/pi": "" });

    const found = await findPi(undefined, { PATH: "/nowhere:/usr/bin" }, lookup);

    expect(found).toEqual({ file: "/usr/bin/pi", program: "/usr/bin/pi", args: [] });
  });

  test("without pi the error says how to install it", async () => {
    const looking = findPi(undefined, { PATH: "/usr/bin" }, machine("linux", {}));

    await expect(looking).rejects.toMatchObject({
      kind: "environment",
      next: expect.stringContaining("npm install -g @earendil-works/pi-coding-agent") as string,
    });
  });

  test("relative and empty entries of PATH are not looked into: they may be a stranger's", async () => {
    const lookup = machine("linux", { pi: "", "bin/pi": "", [join(process.cwd(), "pi")]: "" });

    await expect(findPi(undefined, { PATH: ":.:bin" }, lookup)).rejects.toBeInstanceOf(KitError);
  });

  test("the setting wins over KIT_PI, and KIT_PI over PATH", async () => {
    const lookup = machine("linux", { "/a/pi": "", "/b/pi": "", "/usr/bin/pi": "" });
    const env = { PATH: "/usr/bin", KIT_PI: "/b/pi" };

    expect((await findPi("/a/pi", env, lookup)).program).toBe("/a/pi");
    expect((await findPi(undefined, env, lookup)).program).toBe("/b/pi");
  });

  test("a script is run with the Node that runs kit", async () => {
    const found = await findPi(undefined, { KIT_PI: "/opt/pi/cli.js" }, machine("linux", {}));

    expect(found).toMatchObject({ program: "/usr/bin/node", args: ["/opt/pi/cli.js"] });
  });

  test("a setting that names no program says which setting to correct", async () => {
    const looking = findPi(
      "/gone/pi",
      { PATH: "/usr/bin" },
      machine("linux", { "/usr/bin/pi": "" }),
    );

    await expect(looking).rejects.toThrow("adapters.pi.program names /gone/pi");
  });

  test("a folder and a file that may not be run are no programs", async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { "one/pi/x": "", "two/pi": "#!/bin/sh\n", "three/pi": "#!/bin/sh\n" });
    chmodSync(join(folder, "three/pi"), 0o755);
    const PATH = ["one", "two", "three"].map((name) => join(folder, name)).join(":");

    expect((await findPi(undefined, { PATH }, thisMachine)).file).toBe(join(folder, "three/pi"));
  });
});

describe("on Windows", () => {
  test("npm's command shim is read for the script it starts, so that no shell is needed", async () => {
    const shim =
      '@ECHO off\r\n"%~dp0\\node.exe" "%~dp0\\node_modules\\pi-pkg\\dist\\cli.js" %*\r\n';
    const files = { "C:\\npm\\pi": "", "C:\\npm\\pi.cmd": shim, "C:\\npm\\pi.ps1": "" };

    const found = await findPi(undefined, { Path: "C:\\npm" }, machine("win32", files));

    expect(found).toEqual({
      file: "C:\\npm\\pi.cmd",
      program: "C:\\node\\node.exe",
      args: ["C:\\npm\\node_modules\\pi-pkg\\dist\\cli.js"],
    });
  });

  test("a program is started by itself", async () => {
    const lookup = machine("win32", { "C:\\tools\\pi.exe": "" });

    expect((await findPi(undefined, { Path: "C:\\tools" }, lookup)).program).toBe(
      "C:\\tools\\pi.exe",
    );
  });
});
