import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

test("tests see a HOME, git and kit configuration of their own, and so do their children", () => {
  const child = execFileSync(process.execPath, ["-p", "JSON.stringify(process.env)"], {
    encoding: "utf8",
  });

  for (const env of [process.env, JSON.parse(child) as NodeJS.ProcessEnv]) {
    expect(env["HOME"]).toMatch(/kit-test-home-/);
    expect(env["KIT_CONFIG_DIR"]).toMatch(/kit-test-home-/);
    expect(env["GIT_CONFIG_NOSYSTEM"]).toBe("1");
    expect(env["GIT_DIR"]).toBeUndefined();
    expect(env["KIT_PI"]).toBeUndefined();
  }
});
