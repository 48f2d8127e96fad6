import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { coderRule, fixedMath, grepTest, machine, scenario, scoutRule } from "./support.ts";

test("a run without pi: an endpoint scouts, another one with a key codes, and no record holds the key", async () => {
  const key = "lab-key-0123456789abcdef";
  const { root, home, server, run } = await machine({
    scenario: scenario([scoutRule, coderRule("p1/first", "a + b")]),
    bindings: { cheap: "p0/scout", first: "p1/first" },
  });
  const bound = (provider: string, model: string, more: object = {}): object => ({
    adapter: "openai",
    provider,
    model,
    base_url: `${server.url}/${provider}/v1`,
    ...more,
  });
  writeFileSync(
    join(home, "kit/models.local.yaml"),
    JSON.stringify({
      version: 1,
      backends: {
        cheap: bound("p0", "scout"),
        first: bound("p1", "first", { api_key_env: "LAB_KEY", price: { input: 1, output: 2 } }),
      },
    }),
  );

  const { code, receipt, stdout, stderr } = await run(["--test", grepTest], {
    env: {
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      LAB_KEY: key,
      KIT_PI: "/nowhere/pi",
    },
  });

  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(receipt).toMatchObject({ outcome: "success", changedFiles: ["src/math.js"] });
  expect(readFileSync(join(root, "src/math.js"), "utf8")).toBe(fixedMath);
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
    undefined,
    `Bearer ${key}`,
  ]);
  expect(stdout + stderr).not.toContain(key);
  const holding = (text: string): string =>
    spawnSync("grep", ["-rl", text, join(root, ".kit"), join(home, "kit")], { encoding: "utf8" })
      .stdout;
  expect(holding("src/math.js")).not.toBe("");
  expect(holding(key)).toBe("");
});
