import { expect, test } from "vitest";
import { resolveRoute } from "../../src/routing/index.ts";
import { registryOf } from "./support.ts";

const shipped = {
  "routing/routing.yaml": `version: 1
backends: { cheap: {}, other: {} }
capabilities: { cheap-code: { primary: cheap, fallback: [other] } }
`,
};

const bound = (name: string, provider: string, address: string): string =>
  `  ${name}: { adapter: openai, provider: ${provider}, model: m, base_url: "${address}", api_key_env: LAB_KEY }\n`;

function registryWith(text: string, ...flags: string[]): ReturnType<typeof registryOf> {
  return registryOf({ shipped, user: { "models.local.yaml": `backends:\n${text}` } }, ...flags);
}

test("one model at one address is one candidate, whatever its provider is called", async () => {
  const registry = await registryWith(
    bound("cheap", "lab", "http://box/v1") + bound("other", "lab2", "http://box/v1/"),
  );

  expect(registry.problems).toEqual([]);
  expect(resolveRoute(registry, "cheap-code")).toMatchObject({
    candidates: [{ backend: "cheap" }],
    skipped: [{ backend: "other", reason: "same candidate as cheap" }],
  });
});

test("one name at two addresses is two candidates", async () => {
  const registry = await registryWith(
    bound("cheap", "lab", "http://box/v1") + bound("other", "lab", "http://other-box/v1"),
  );

  expect(resolveRoute(registry, "cheap-code").candidates).toHaveLength(2);
});

test("--model with another provider drops the address and the adapter, with the same one keeps them", async () => {
  const text = bound("cheap", "lab", "http://box/v1");

  const other = await registryWith(text, "cheap=acme/small");
  const same = await registryWith(text, "cheap=lab/m2");

  const of = (registry: typeof other): unknown => registry.bindings.get("cheap")?.value;
  expect(of(other)).toMatchObject({ adapter: "pi", provider: "acme" });
  expect(of(other)).not.toHaveProperty("baseUrl");
  expect(of(other)).not.toHaveProperty("apiKeyEnv");
  expect(of(same)).toMatchObject({
    adapter: "openai",
    model: "m2",
    baseUrl: "http://box/v1",
    apiKeyEnv: "LAB_KEY",
  });
});
