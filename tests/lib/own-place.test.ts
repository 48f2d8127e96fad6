import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  OddPlaceError,
  readOwnFile,
  requireOwnPlace,
  writeOwnFile,
} from "../../src/lib/own-place.ts";
import { temporaryFolder } from "../support/repository.ts";

/** What may stand where kit keeps a file, and the words for it. */
const oddities: readonly (readonly [string, (path: string) => void])[] = [
  ["a link to precious", (path) => symlinkSync("precious", path)],
  ["a link to nowhere", (path) => symlinkSync("nowhere", path)],
  ["a folder", (path) => mkdirSync(path)],
  ["a pipe", (path) => execFileSync("mkfifo", [path])],
];

describe("a place of kit's own", () => {
  it.each(oddities)("that is %s is neither read nor written", (words, make) => {
    const folder = temporaryFolder();
    const path = join(folder, "own");
    writeFileSync(join(folder, "precious"), "mine");
    make(path);

    const refused = new OddPlaceError(path, words);
    expect(() => requireOwnPlace(path, "file")).toThrow(refused);
    expect(() => readOwnFile(path)).toThrow(refused);
    expect(() => writeOwnFile(path, "kit's")).toThrow(refused);

    expect(readFileSync(join(folder, "precious"), "utf8")).toBe("mine");
  });

  it("that is a link to a folder is no folder of kit's", () => {
    const path = join(temporaryFolder(), "own");
    symlinkSync(temporaryFolder(), path);

    expect(() => requireOwnPlace(path, "folder")).toThrow("is a link to");
  });

  it("may be missing, is made private, and is replaced whole", () => {
    const path = join(temporaryFolder(), "own");

    requireOwnPlace(path, "folder");
    const before = readOwnFile(path);
    writeOwnFile(path, "a long text");
    writeOwnFile(path, "short");

    expect(before).toBeUndefined();
    expect(readOwnFile(path)).toBe("short");
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});
