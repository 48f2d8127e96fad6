import { describe, expect, test } from "vitest";
import { credentialPaths, isCredentialKey } from "../../src/lib/credentials.ts";

describe("the name of a key", () => {
  test.for([
    "apiKey",
    "api_key",
    "API-KEY",
    "openai_api_key",
    "token",
    "accessToken",
    "secret",
    "client_secret",
    "password",
    "db_passwd",
    "passphrase",
    "authorization",
    "Proxy-Authorization",
    "headers",
    "header",
    "auth",
    "bearer",
    "private_key",
    "credentials",
    "cookie",
    "key",
  ])("%s holds a credential", (name) => {
    expect(isCredentialKey(name)).toBe(true);
  });

  test.for([
    "model",
    "max_tokens",
    "context_window",
    "tokens",
    "keyboard",
    "author",
    "note",
    "quota_pool",
    "monkey",
    "sort_key",
    "pass_environment",
    "authoring",
  ])("%s does not", (name) => {
    expect(isCredentialKey(name)).toBe(false);
  });
});

describe("the credentials of a document", () => {
  test("are found by key and by value, at any depth, each once", () => {
    const shared = { token: "x1" };
    const document = {
      a: { apiKey: "x", deep: [{ password: 5 }] },
      headers: { accept: "x", token: "y" },
      note: "use sk-ant-REDACTED-fixture-0000 here",
      b: shared,
      c: shared,
    };

    expect(credentialPaths(document)).toEqual([
      ["a", "apiKey"],
      ["a", "deep", 0, "password"],
      ["headers"],
      ["note"],
      ["b", "token"],
    ]);
  });

  test("are keys that stand where a variable's name belongs", () => {
    const named = { api_key_env: "OPENROUTER_API_KEY", key_env: "_x", note: "7f3kq9zp2xw81mna" };
    const pasted = { api_key_env: "7f3kq9zp2xw81mna", tokenEnv: "A3F91B0C77D2E4F5A6B7C8D9" };

    expect(credentialPaths(named)).toEqual([]);
    expect(credentialPaths(pasted)).toEqual([["api_key_env"], ["tokenEnv"]]);
  });

  test("are not what is empty, a switch, or a name that a person chose", () => {
    const document = { token: null, secret: "", auth: true, names: { token: { model: "m" } } };

    expect(credentialPaths(document, (path) => path.length === 2)).toEqual([]);
  });
});
