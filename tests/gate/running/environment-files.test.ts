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
    expect(secretsOf(text)).toEqual(values);
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
