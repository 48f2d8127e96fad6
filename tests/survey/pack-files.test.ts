import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "./support.ts";
import { readPackFiles, writesMask } from "../../src/survey/index.ts";
import { temporaryFolder, writeFiles } from "../support/repository.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("the files a coder is shown", () => {
  test("are exact: line ends, byte-order mark, no final line break", () => {
    const root = folderWith({ "a.js": "\uFEFFconst a = 1;\r\nadd(a);", "b.js": "" });

    expect(readPackFiles(root, ["b.js", "a.js", "b.js"])).toMatchObject({
      files: [
        { path: "b.js", text: "", bytes: 0, editOnly: false },
        { path: "a.js", text: "\uFEFFconst a = 1;\r\nadd(a);", bytes: 24, editOnly: false },
      ],
      refused: [],
    });
  });

  test("with credentials in them are shown masked, and may only be edited", () => {
    const root = folderWith({
      "a.js": "add();\nconst token = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';\n",
    });

    const { files } = readPackFiles(root, ["a.js"]);
    const [shown] = files;

    expect(shown && writesMask(readFileSync(join(root, "a.js")), bytes(shown.text))).toBe(true);

    expect(files).toMatchObject([
      { editOnly: true, text: "add();\nconst token = '[redacted]';\n" },
    ]);
  });

  test("are never secret files, links, pointers, binaries, other encodings or anything outside", () => {
    const outside = temporaryFolder();
    writeFiles(outside, { "x.txt": "EXAMPLE" });
    const root = folderWith({
      ".env": "DB_PASSWORD=EXAMPLE",
      "deploy.pem": "EXAMPLE",
      ".aws/credentials": "EXAMPLE",
      "data.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
      "zero.txt": new Uint8Array([0, 1]),
      "latin1.txt": new Uint8Array([0xe9]),
      ".env.example": "DB_PASSWORD=\n",
    });
    symlinkSync(".env", join(root, "config.txt"));
    symlinkSync(outside, join(root, "linked"));
    mkdirSync(join(root, "folder"));
    const asked = [
      ".env",
      "deploy.pem",
      ".aws/credentials",
      "config.txt",
      "linked/x.txt",
      "data.bin",
      "zero.txt",
      "latin1.txt",
      "folder",
      "nowhere.js",
      "../x.txt",
      "/etc/passwd",
      ".env.example",
    ];

    const { files, refused } = readPackFiles(root, asked);

    expect(files.map(({ path }) => path)).toEqual([".env.example"]);
    expect(Object.fromEntries(refused.map(({ path, reason }) => [path, reason]))).toEqual({
      ".env": "secret file",
      "deploy.pem": "secret file",
      ".aws/credentials": "secret file",
      "config.txt": "symbolic link",
      "linked/x.txt": "behind a symbolic link",
      "data.bin": "LFS pointer",
      "zero.txt": "binary",
      "latin1.txt": "not UTF-8",
      folder: "not a regular file",
      "nowhere.js": "does not exist",
      "../x.txt": "the path leaves its folder with ..",
      "/etc/passwd": "the path is not relative",
    });
  });

  test("stay within the limits, one by one and together", () => {
    const root = folderWith({
      "a.js": "12345",
      "b.js": "12345",
      "c.js": "123",
      "large.js": "x".repeat(2_000),
    });

    const { files, refused } = readPackFiles(root, ["large.js", "a.js", "b.js", "c.js"], {
      maxFileBytes: 1_024,
      maxTotalBytes: 9,
    });

    expect(files.map(({ path }) => path)).toEqual(["a.js", "c.js"]);
    expect(refused).toEqual([
      { path: "large.js", reason: "larger than 1 KiB" },
      { path: "b.js", reason: "the files before it fill the limit" },
    ]);
  });

  test("a change that would write the mask over a credential is seen", () => {
    expect(writesMask(bytes("token = abc"), bytes("token = [redacted]"))).toBe(true);
    expect(writesMask(bytes("a [redacted]"), bytes("b [redacted]"))).toBe(false);
    expect(writesMask(bytes(""), bytes("x"))).toBe(false);
  });
});
