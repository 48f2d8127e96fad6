import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  codeOf,
  isInside,
  pathExists,
  readBytes,
  readTextIfExists,
  syncFolder,
  writeFileDurably,
} from "../../src/lib/files.ts";
import { temporaryFolder } from "../support/repository.ts";

const modeOf = (file: string): number => statSync(file).mode & 0o7777;

describe("writeFileDurably", () => {
  it("creates a file with the bytes it is given, and leaves nothing beside it", async () => {
    const folder = temporaryFolder();
    const bytes = Uint8Array.from([0, 255, 10, 13, 128]);

    await writeFileDurably(join(folder, "a"), bytes);
    await writeFileDurably(join(folder, "b"), "text ü\n");

    expect(new Uint8Array(readFileSync(join(folder, "a")))).toEqual(bytes);
    expect(readFileSync(join(folder, "b"), "utf8")).toBe("text ü\n");
    expect(readdirSync(folder)).toEqual(["a", "b"]);
  });

  it("keeps the permissions of the file it replaces", async () => {
    const file = join(temporaryFolder(), "run.sh");
    writeFileSync(file, "old");
    chmodSync(file, 0o751);

    await writeFileDurably(file, "new");

    expect(modeOf(file)).toBe(0o751);
  });

  it("gives the permissions it is told, whatever the umask", async () => {
    const file = join(temporaryFolder(), "f");

    await writeFileDurably(file, "x", 0o666);
    expect(modeOf(file)).toBe(0o666);
    await writeFileDurably(file, "x", 0o600);
    expect(modeOf(file)).toBe(0o600);
  });

  it("keeps the owner when root writes another's file", async (context) => {
    context.skip(process.getuid?.() !== 0, "only root can give files away");
    const file = join(temporaryFolder(), "f");
    writeFileSync(file, "x");
    execFileSync("chown", ["12345:12346", file]);

    await writeFileDurably(file, "y");

    expect(statSync(file)).toMatchObject({ uid: 12_345, gid: 12_346 });
  });

  it("replaces a link instead of writing through it", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "target"), "old");
    symlinkSync("target", join(folder, "link"));

    await writeFileDurably(join(folder, "link"), "new");

    expect(readFileSync(join(folder, "target"), "utf8")).toBe("old");
    expect(lstatSync(join(folder, "link")).isFile()).toBe(true);
  });

  it("leaves a second name of the file as it was", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "one"), "old");
    linkSync(join(folder, "one"), join(folder, "two"));

    await writeFileDurably(join(folder, "one"), "new");

    expect(readFileSync(join(folder, "two"), "utf8")).toBe("old");
  });

  it("takes a name as long as the file system allows", async () => {
    const file = join(temporaryFolder(), "n".repeat(255));

    await writeFileDurably(file, "x");

    expect(readFileSync(file, "utf8")).toBe("x");
  });

  it("refuses what is no file, by a code, and leaves nothing behind", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "folder"));
    execFileSync("mkfifo", [join(folder, "pipe")]);

    await expect(writeFileDurably(join(folder, "folder"), "x")).rejects.toMatchObject({
      code: "EISDIR",
    });
    await expect(writeFileDurably(join(folder, "pipe"), "x")).rejects.toMatchObject({
      code: "ENOTSUP",
    });
    await expect(writeFileDurably("/dev/full", "x")).rejects.toMatchObject({ code: "ENOTSUP" });
    expect(readdirSync(folder)).toEqual(["folder", "pipe"]);
  });

  it("reports a missing folder and a file in its way by the system's code", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");

    await expect(writeFileDurably(join(folder, "none/x"), "x")).rejects.toMatchObject({
      code: "ENOENT",
    });
    await expect(writeFileDurably(join(folder, "file/x"), "x")).rejects.toMatchObject({
      code: "ENOTDIR",
    });
    await expect(writeFileDurably("/proc/x", "x")).rejects.toHaveProperty("code");
  });

  it("leaves the old file and no other when the disk is full", async (context) => {
    const folder = temporaryFolder();
    // A file system of its own, 64 KB large, in a mount namespace of its own.
    const program = `
      const { writeFileDurably } = await import(${JSON.stringify(new URL("../../src/lib/files.ts", import.meta.url).href)});
      const { readdirSync, readFileSync, writeFileSync } = await import("node:fs");
      writeFileSync("f", "old");
      const error = await writeFileDurably("f", "x".repeat(1_000_000)).catch((thrown) => thrown);
      console.log(JSON.stringify([error?.code, readFileSync("f", "utf8"), readdirSync(".")]));`;
    const line = `mount -t tmpfs -o size=64k none ${folder} && cd ${folder} && exec "$0" --input-type=module -e "$1"`;
    let output: string;
    try {
      output = execFileSync("unshare", ["-m", "sh", "-c", line, process.execPath, program], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
    } catch {
      context.skip(true, "no mount namespaces here");
      return;
    }

    expect(JSON.parse(output)).toEqual(["ENOSPC", "old", ["f"]]);
  });
});

describe("reading", () => {
  it("gives bytes, text, or undefined where there is nothing", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "f"), Uint8Array.from([0xc3, 0xbc]));

    expect((await readBytes(join(folder, "f"))).length).toBe(2);
    expect(await readTextIfExists(join(folder, "f"))).toBe("ü");
    expect(await readTextIfExists(join(folder, "none"))).toBeUndefined();
    expect(await readTextIfExists(join(folder, "f/below"))).toBeUndefined();
    await expect(readTextIfExists(folder)).rejects.toMatchObject({ code: "EISDIR" });
    await expect(readBytes(join(folder, "none"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("sees a link to nowhere, and no file below a file", async () => {
    const folder = temporaryFolder();
    symlinkSync("nowhere", join(folder, "link"));
    writeFileSync(join(folder, "f"), "");

    expect(await pathExists(join(folder, "link"))).toBe(true);
    expect(await pathExists(folder)).toBe(true);
    expect(await pathExists(join(folder, "none"))).toBe(false);
    expect(await pathExists(join(folder, "f/below"))).toBe(false);
  });
});

describe("syncFolder", () => {
  it("returns for a folder and throws for a missing one", async () => {
    await expect(syncFolder(temporaryFolder())).resolves.toBeUndefined();
    await expect(syncFolder("/no/such/folder")).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("isInside", () => {
  it.each([
    ["/a", "/a", true],
    ["/a", "/a/b", true],
    ["/a/", "/a/b/../c", true],
    ["/a", "/a/..b", true],
    ["/a", "/a/...", true],
    ["/", "/x", true],
    ["/a", "/ab", false],
    ["/a", "/", false],
    ["/a", "/a/..", false],
    ["/a", "/a/../b", false],
    ["/a/b", "/a", false],
  ])("of %s says of %s: %s", (root, file, inside) => {
    expect(isInside(root, file)).toBe(inside);
  });
});

describe("codeOf", () => {
  it("gives the system's code, and undefined for everything else", async () => {
    const error: unknown = await readBytes("/none").catch((thrown: unknown) => thrown);
    const server = createServer();

    expect(codeOf(error)).toBe("ENOENT");
    for (const other of [new Error("x"), { code: 5 }, null, undefined, "ENOENT", server]) {
      expect(codeOf(other)).toBeUndefined();
    }
  });
});
