import { describe, expect, test } from "vitest";
import { testEnvironment } from "../../../src/gate/index.ts";

/** Variables that code written by a model must not see. */
const credentials: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: "sk-ant-EXAMPLE",
  OPENAI_API_KEY: "sk-EXAMPLE",
  GITHUB_TOKEN: "ghp_EXAMPLE",
  AWS_SECRET_ACCESS_KEY: "EXAMPLE",
  MY_DB_PASSWORD: "EXAMPLE",
  NPM_TOKEN: "EXAMPLE",
  DATABASE_URL: "postgres://u:EXAMPLE@h/db",
  UPSTREAM: "https://u:s3cr3tEXAMPLE@proxy.example/",
  HARMLESS_NAME: "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
  SSH_AUTH_SOCK: "/tmp/agent-EXAMPLE",
  GIT_ASKPASS: "/usr/bin/EXAMPLE",
  GPG_AGENT_INFO: "EXAMPLE",
};

describe("credentials", () => {
  test.each(Object.entries(credentials))("%s is withheld and named", (name, value) => {
    const { env, withheld } = testEnvironment({ [name]: value, PATH: "/bin" }, []);

    expect(Object.keys(env)).not.toContain(name);
    expect(withheld).toEqual([name]);
  });

  test("a name that the user lets through is passed", () => {
    const { env, withheld } = testEnvironment({ NPM_TOKEN: "x1", GITHUB_TOKEN: "y1" }, [
      "NPM_TOKEN",
    ]);

    expect(env["NPM_TOKEN"]).toBe("x1");
    expect(withheld).toEqual(["GITHUB_TOKEN"]);
  });

  test("plain variables are passed, what every program needs above all", () => {
    const plain = {
      PATH: "/bin",
      HOME: "/root",
      LANG: "C.UTF-8",
      KEEP_ME: "plain",
      NODE_OPTIONS: "--max-old-space-size=4096",
    };

    expect(testEnvironment(plain, [])).toMatchObject({ env: plain, withheld: [] });
  });
});

describe("what makes a test run end by itself", () => {
  test("no watch mode, no colour, no pager, no question", () => {
    const { env } = testEnvironment(
      {
        CI: "false",
        FORCE_COLOR: "3",
        CLICOLOR_FORCE: "1",
        PAGER: "less",
        GIT_PAGER: "less",
        LESS: "",
      },
      [],
    );

    expect(env).toMatchObject({
      CI: "1",
      NO_COLOR: "1",
      PAGER: "cat",
      GIT_PAGER: "cat",
      GIT_TERMINAL_PROMPT: "0",
      GIT_EDITOR: "true",
      DEBIAN_FRONTEND: "noninteractive",
      npm_config_yes: "true",
    });
    for (const name of ["FORCE_COLOR", "CLICOLOR_FORCE", "LESS"])
      expect(env).not.toHaveProperty(name);
  });
});

describe("what belongs to who started kit", () => {
  const foreign = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_CEILING_DIRECTORIES",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_KEY_0",
    "GIT_CONFIG_VALUE_0",
    "NODE_TEST_CONTEXT",
    "VITEST_WORKER_ID",
    "JEST_WORKER_ID",
    "MAKEFLAGS",
    "npm_lifecycle_event",
    "npm_package_name",
    "INIT_CWD",
  ];

  test.each(foreign)("%s is dropped, and is no credential", (name) => {
    expect(testEnvironment({ [name]: "1" }, [])).toEqual(testEnvironment({}, []));
  });

  test("the user's git identity stays", () => {
    const { env } = testEnvironment({ GIT_AUTHOR_NAME: "Ada", GIT_COMMITTER_EMAIL: "a@b.c" }, []);

    expect(env).toMatchObject({ GIT_AUTHOR_NAME: "Ada", GIT_COMMITTER_EMAIL: "a@b.c" });
  });
});
