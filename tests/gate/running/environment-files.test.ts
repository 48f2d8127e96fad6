import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { environmentFileSecrets, hideValues } from "../../../src/gate/running/environment-files.ts";
import { temporaryFolder, writeFiles } from "../../support/repository.ts";
import { runReally } from "../support.ts";

function secretsOf(text: string, name = ".env"): readonly string[] {
  const folder = temporaryFolder();
  writeFiles(folder, { [name]: text });
  mkdirSync(join(folder, ".git"));
  return environmentFileSecrets(folder);
}

describe("secret values of .env files", () => {
  test.each([
    ["by the name", "DB_PASSWORD=correct-horse-1\n", ["correct-horse-1"]],
    ["in quotes, exported", `export API_TOKEN="abcd efgh 99"\n`, ["abcd efgh 99"]],
    [
      "by the shape",
      "X=ghp_16C7e42F292c6912E7710c838347Ae178B4a\n",
      ["ghp_16C7e42F292c6912E7710c838347Ae178B4a"],
    ],
    ["that look like a token", "THING=a8f3k29d0s7q4m1x6z5b\n", ["a8f3k29d0s7q4m1x6z5b"]],
    [
      "in an address, and the password alone",
      "DATABASE_URL=postgres://app:s3cr3tEXAMPLE@db/app\n",
      ["postgres://app:s3cr3tEXAMPLE@db/app", "s3cr3tEXAMPLE"],
    ],
  ])("are known %s", (_, text, values) => {
    expect(secretsOf(text)).toEqual(expect.arrayContaining(values));
  });

  test("are none that any text may hold: settings, short ones, addresses without a password", () => {
    const text =
      "NODE_ENV=development\nPORT=3000\nDB_PASSWORD=short\nAPI_URL=http://localhost:3000\n";

    expect(secretsOf(text)).toEqual([]);
  });

  test("are not taken from templates, which everybody may read", () => {
    expect(secretsOf("DB_PASSWORD=correct-horse-1\n", ".env.example")).toEqual([]);
  });

  test("are looked for up to the repository's top level, and no further", () => {
    const folder = temporaryFolder();
    writeFiles(folder, {
      ".env": "OUTER_TOKEN=outer-value-1\n",
      "repo/.env.local": "MY_TOKEN=inner-value-1\n",
      "repo/packages/a/.env": "MY_SECRET=inmost-value-1\n",
    });
    mkdirSync(join(folder, "repo", ".git"));

    expect(environmentFileSecrets(join(folder, "repo/packages/a"))).toEqual([
      "inmost-value-1",
      "inner-value-1",
    ]);
  });

  test("are looked for up to three levels below, not in node_modules, the nearest first", () => {
    const folder = temporaryFolder();
    writeFiles(folder, {
      "a/b/c/.env": "MY_TOKEN=third-level-1\n",
      "a/b/c/d/.env": "MY_TOKEN=fourth-level-1\n",
      "config/.env.production": "MY_TOKEN=first-level-1\n",
      "node_modules/x/.env": "MY_TOKEN=of-a-package-1\n",
    });
    mkdirSync(join(folder, ".git"));

    expect(environmentFileSecrets(folder)).toEqual(["first-level-1", "third-level-1"]);
  });

  test("go over several lines in quotes, and each line of 8 characters is one", () => {
    const text = `# the key\nexport DB_PASSWORD="first line 1\nshort\nsecond line 2" # old\nPORT=3000\n`;

    expect(secretsOf(text)).toEqual(
      expect.arrayContaining([
        "first line 1\nshort\nsecond line 2",
        "first line 1",
        "second line 2",
        "first%20line%201",
        "first line 1\\nshort\\nsecond line 2",
      ]),
    );
    expect(secretsOf(text)).not.toContain("short");
  });

  test("are known as written, with their escapes read, in addresses and in JSON", () => {
    expect(secretsOf(`DB_PASSWORD="abc\\"def/1"\n`)).toEqual(
      expect.arrayContaining([`abc\\"def/1`, `abc"def/1`, "abc%22def%2F1"]),
    );
  });

  test("stay out of names, files and messages of tests, whose ids are the same each time", async () => {
    const root = temporaryFolder();
    const suite = `import { test } from "node:test"; import assert from "node:assert";
test("as correct/horse-1", () => assert.fail("got correct/horse-1, correct%2Fhorse-1"));
`;
    writeFiles(root, { ".env": "DB_PASSWORD=correct/horse-1\n", "a.test.mjs": suite });

    const first = await runReally(root, ["node --test a.test.mjs"]);
    const second = await runReally(root, ["node --test a.test.mjs"]);

    expect(first.tests?.map(({ id }) => id)).toEqual(["a.test.mjs › as [redacted]"]);
    expect(first.tests?.[0]?.message).toContain("got [redacted], [redacted]");
    expect(JSON.stringify(first)).not.toContain("horse-1");
    expect(second.tests?.map(({ id }) => id)).toEqual(first.tests?.map(({ id }) => id));
  });

  test("are masked wherever a text holds them, the longer one first", () => {
    expect(hideValues("a secret-1 and secret-1-long", ["secret-1", "secret-1-long"])).toBe(
      "a [redacted] and [redacted]",
    );
  });

  test("that a test prints bare do not reach the record", async () => {
    const root = temporaryFolder();
    writeFiles(root, { ".env": "SESSION_PASSWORD=correct-horse-1\n" });

    const { commands } = await runReally(root, ["echo got correct-horse-1"]);

    expect(commands[0]?.output).toBe("got [redacted]\n");
  });
});
