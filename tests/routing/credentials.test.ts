import { describe, expect, test } from "vitest";
import { registryOf, shipped } from "./support.ts";

describe("a credential in a configuration file", () => {
  const secret = "hunter2-correct-horse";

  test.for([
    ["apiKey", "models.local.yaml"],
    ["api_key", "models.local.yaml"],
    ["API-KEY", "models.json"],
    ["token", "models.local.yaml"],
    ["access_token", "models.local.yaml"],
    ["secret", "models.local.yaml"],
    ["client_secret", "models.local.yaml"],
    ["password", "models.local.yaml"],
    ["authorization", "models.local.yaml"],
    ["apiKey", "routing.local.yaml"],
    ["token", "routing.json"],
  ])("%s in %s is refused at its place and never shown", async ([key = "", file = ""]) => {
    const content = { backends: { cheap: { description: "x", [key]: secret } } };

    const { problems } = await registryOf({ shipped, user: { [file]: content } });

    const errors = problems.filter((problem) => problem.severity === "error");
    expect(errors).toEqual([
      expect.objectContaining({
        key: `backends.cheap.${key}`,
        place: expect.objectContaining({ line: 5, column: 7 }),
        message: expect.stringContaining("no credentials"),
      }),
    ]);
    expect(JSON.stringify(problems)).not.toContain(secret);
  });

  test.for([
    ["headers of a request", { headers: { "x-team": secret } }],
    ["a key deep in an unknown part", { http: { proxy: { password: secret } } }],
    ["a list of keys", { tokens: [{ token: secret }] }],
    ["a value shaped like a key", { note: "sk-ant-REDACTED-fixture-0000" }],
    ["an address with a password", { note: "https://me:hunter2-correct-horse@proxy.example" }],
    ["a key inside a wrong value", { provider: [{ apiKey: secret }] }],
  ])("%s is refused too", async ([, binding]) => {
    const registry = await registryOf({
      shipped,
      user: { "models.local.yaml": { backends: { cheap: binding as object } } },
    });

    const found = registry.problems.filter(({ message }) => message.startsWith("no credentials"));
    expect(found).toEqual([expect.objectContaining({ severity: "error" })]);
    expect(JSON.stringify([registry.problems, [...registry.origins]])).not.toMatch(
      /hunter2|sk-ant-REDACTED/,
    );
  });

  test("is an error even in a project layer that is not used", async () => {
    const { problems } = await registryOf({
      shipped,
      project: { "routing.yaml": { backends: { cheap: { token: secret } } } },
    });

    expect(problems).toEqual([expect.objectContaining({ severity: "error" })]);
  });

  test("is not seen in the names of backends and capabilities, nor in sizes", async () => {
    const registry = await registryOf({
      user: {
        "routing.local.yaml": {
          backends: { token: {}, password: {} },
          capabilities: { secret: { primary: "token", fallback: ["password"] } },
          ladders: { auth: ["secret"] },
        },
        "models.local.yaml": { backends: { token: { provider: "p1", model: "keyboard-token" } } },
      },
    });

    expect(registry.problems).toEqual([]);
    expect(registry.bindings.get("token")?.value.model).toBe("keyboard-token");
  });
});
