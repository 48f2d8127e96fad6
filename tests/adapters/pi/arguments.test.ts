import { expect, test } from "vitest";
import { callArguments, featuresOf } from "../../../src/adapters/pi/arguments.ts";
import { piEnvironment } from "../../../src/adapters/pi/environment.ts";

const binding = { provider: "hub", model: "vendor/model-2", extensions: false } as const;
const pi16 = featuresOf([1, 6, 0]);
const pi073 = featuresOf([0, 73, 1]);

test("everything that brings foreign text or code to the model is switched off", () => {
  expect(callArguments(binding, "/private/system.txt", pi16)).toEqual(
    expect.arrayContaining([
      "--no-tools",
      "--no-extensions",
      "--no-skills",
      "--no-prompt-templates",
      "--no-themes",
      "--no-context-files",
      "--no-session",
      "--offline",
    ]),
  );
});

test("the exact id is passed on, and the thinking level by its own flag", () => {
  const args = callArguments({ ...binding, thinking: "low" }, "/s", pi16);

  expect(args.slice(args.indexOf("--model"), args.indexOf("--model") + 4)).toEqual([
    "--model",
    "hub/vendor/model-2",
    "--thinking",
    "low",
  ]);
  expect(callArguments({ ...binding, model: "model:32b" }, "/s", pi16)).toContain("hub/model:32b");
  expect(callArguments(binding, "/s", pi16)).not.toContain("--thinking");
});

test("an older pi gets no flag it does not know", () => {
  const args = callArguments({ ...binding, thinking: "max", extensions: true }, "/s", pi073);

  expect(args).not.toContain("--approve");
  expect(args).not.toContain("--no-mcp");
  expect(args).toContain("xhigh");
});

test("a binding with extensions loads them, and still no MCP server", () => {
  const args = callArguments({ ...binding, extensions: true }, "/s", pi16);

  expect(args).not.toContain("--no-extensions");
  expect(args).toContain("--no-mcp");
});

test("pi gets the user's environment without what changes its output or its Node", () => {
  const env = piEnvironment({
    OPENAI_API_KEY: "sk-user",
    PATH: "/usr/bin",
    FORCE_COLOR: "3",
    CLICOLOR_FORCE: "1",
    NODE_OPTIONS: "--require=/tmp/x.cjs",
    HTTP_PROXY: "http://proxy:3128",
    NO_PROXY: "intra",
  });

  expect(env).toMatchObject({ OPENAI_API_KEY: "sk-user", PATH: "/usr/bin", NO_COLOR: "1" });
  expect(env).toMatchObject({
    HTTP_PROXY: "http://proxy:3128",
    NO_PROXY: "intra,127.0.0.1,localhost,::1",
  });
  for (const name of ["FORCE_COLOR", "CLICOLOR_FORCE", "NODE_OPTIONS"])
    expect(env).not.toHaveProperty(name);
});
