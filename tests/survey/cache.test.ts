import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openGit } from "../../src/lib/git.ts";
import { surveyRepository } from "../../src/survey/index.ts";
import type { SurveyResult } from "../../src/contracts/index.ts";
import { git, repository, snapshot, temporaryFolder, writeFiles } from "../support/repository.ts";

const crowd = Object.fromEntries(
  Array.from({ length: 220 }, (_, index) => [
    `src/part${index}.js`,
    `export const value${index} = ${index};\n`,
  ]),
);
const files = {
  ...crowd,
  ".env": "SECRET_PHRASE=xylophone\n",
  "src/deep/store.js": "export function persistProject() {}\n",
};

async function survey(root: string, task: string, cache?: "read" | "write"): Promise<SurveyResult> {
  const opened = await openGit(root);
  return surveyRepository({ root, git: opened, task, ...(cache === undefined ? {} : { cache }) });
}

const segmentsOf = (root: string): readonly string[] => {
  const folder = join(root, ".kit/cache/words-2");
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
};

const firstOf = ({ ranked }: SurveyResult): string | undefined => ranked[0]?.path;

describe("the cache of words", () => {
  test("gives what reading the files gives", async () => {
    const root = repository(files);

    const uncached = await survey(root, "persist the project");
    const writing = await survey(root, "persist the project", "write");
    const reading = await survey(root, "persist the project");

    expect(firstOf(uncached)).toBe("src/deep/store.js");
    expect(writing).toEqual(uncached);
    expect(reading).toEqual(uncached);
    expect(segmentsOf(root)).toHaveLength(1);
  });

  test("is written by those alone who say so, and never for a small repository", async () => {
    const root = repository(files);
    const small = repository({ "a.js": "save();" });
    const before = snapshot(root);

    await survey(root, "persist the project");
    await survey(small, "save", "write");

    expect(snapshot(root)).toEqual(before);
    expect(existsSync(join(small, ".kit"))).toBe(false);
  });

  test("ignores itself, is its owner's alone, and holds no word of a file", async () => {
    const root = repository(files);

    await survey(root, "persist the project", "write");
    const [segment = ""] = segmentsOf(root);

    expect(git(root, "status", "--porcelain")).toBe("");
    expect(statSync(segment).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, ".kit/cache")).mode & 0o777).toBe(0o700);
    expect(readFileSync(segment, "latin1")).not.toMatch(/persist|xylophone|value1/);
  });

  test("learns what changed, committed or not, and reads only that", async () => {
    const root = repository(files);
    await survey(root, "persist the project", "write");
    writeFiles(root, {
      "src/part7.js": "export function hibernate() {}\n",
      "src/new.js": "hibernate();\n",
    });

    const changed = await survey(root, "hibernate at night", "write");
    git(root, "add", "-A");
    git(root, "commit", "-qm", "Hibernate");
    const committed = await survey(root, "hibernate at night", "write");

    expect(firstOf(changed)).toBe("src/part7.js");
    expect(firstOf(committed)).toBe("src/part7.js");
    expect(segmentsOf(root)).toHaveLength(2);
    expect(firstOf(await survey(root, "persist the project"))).toBe("src/deep/store.js");
  });

  test.each([
    ["cut short", (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
    ["empty", () => Buffer.alloc(0)],
    ["filled with other bytes", (bytes: Buffer) => Buffer.alloc(bytes.length, 0xff)],
    [
      "damaged in its tables",
      (bytes: Buffer) => {
        const damaged = Buffer.from(bytes);
        damaged.fill(0xff, 100, 2_000);
        return damaged;
      },
    ],
    [
      "damaged in its postings",
      (bytes: Buffer) => {
        const damaged = Buffer.from(bytes);
        damaged.fill(0xff, bytes.length - 2_000);
        return damaged;
      },
    ],
  ])("that is %s is made anew", async (_, damage) => {
    const root = repository(files);
    const expected = await survey(root, "persist the project", "write");
    const [segment = ""] = segmentsOf(root);
    const whole = readFileSync(segment);
    writeFileSync(segment, damage(whole));

    const { ranked, files: listed } = await survey(root, "persist the project", "write");

    expect(listed).toEqual(expected.files);
    expect(ranked).toEqual(expected.ranked);
    expect(segmentsOf(root).map((file) => readFileSync(file))).toEqual([whole]);
  });

  test.each([".kit", ".kit/cache"])("removes nothing behind a link at %s", async (name) => {
    const root = repository(files);
    const outside = temporaryFolder();
    const cache = name === ".kit" ? "cache/" : "";
    writeFiles(outside, { [`${cache}words-of-mine/letter.txt`]: "dear friend" });
    writeFiles(outside, { [`${cache}words-1/old.segment`]: "no segment" });
    if (name === ".kit/cache") mkdirSync(join(root, ".kit"));
    symlinkSync(outside, join(root, name));
    const before = snapshot(outside);

    await survey(root, "persist the project", "write");

    expect(snapshot(outside)).toEqual(before);
  });

  test("is not written through a link", async () => {
    const outside = temporaryFolder();
    const root = repository(files);
    symlinkSync(outside, join(root, ".kit"));

    await survey(root, "persist the project", "write");

    expect(readdirSync(outside)).toEqual([]);
  });
});
