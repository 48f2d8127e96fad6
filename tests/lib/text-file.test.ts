import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTextFile } from "../../src/lib/text-file.ts";
import { temporaryFolder, writeFiles } from "../support/repository.ts";

describe("a text file", () => {
  test("is read without its byte order mark", async () => {
    const root = temporaryFolder();
    writeFiles(root, { "a.yaml": "\uFEFFversion: 1\n" });

    expect(await readTextFile(join(root, "a.yaml"))).toEqual({
      kind: "text",
      text: "version: 1\n",
    });
  });

  test.for(["none.yaml", "a.yaml/below.yaml"])("%s is missing", async (name) => {
    const root = temporaryFolder();
    writeFiles(root, { "a.yaml": "" });

    expect(await readTextFile(join(root, name))).toEqual({ kind: "missing" });
  });

  test("a link that leads nowhere is unreadable: what it meant is not absent", async () => {
    const root = temporaryFolder();
    symlinkSync("nowhere", join(root, "dangling.yaml"));

    expect(await readTextFile(join(root, "dangling.yaml"))).toEqual({
      kind: "unreadable",
      reason: "it is a link to nowhere, which is not there",
    });
  });

  test.for([
    ["UTF-16, little end first", Buffer.from("\uFEFFa: 1", "utf16le"), "UTF-16"],
    ["UTF-16, big end first", Buffer.from([0xfe, 0xff, 0, 0x61]), "UTF-16"],
    ["bytes of another encoding", Buffer.from([0x61, 0xe9, 0x62]), "not UTF-8"],
    ["more than any configuration", Buffer.alloc(256 * 1024 + 1, 0x61), "larger than 256 KiB"],
  ] as const)("of %s says so", async ([, bytes, reason]) => {
    const root = temporaryFolder();
    writeFiles(root, { "a.yaml": bytes });

    const read = await readTextFile(join(root, "a.yaml"));

    expect(read).toEqual({ kind: "unreadable", reason: expect.stringContaining(reason) });
  });

  test("that is a folder, a pipe or a device is refused without waiting", async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, "folder.md"));
    execFileSync("mkfifo", [join(root, "pipe.md")]);
    symlinkSync("/dev/zero", join(root, "zero.md"));

    for (const name of ["folder.md", "pipe.md", "zero.md"]) {
      expect(await readTextFile(join(root, name))).toEqual({
        kind: "unreadable",
        reason: "it is not a regular file",
      });
    }
  });
});
