import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadRegistry } from "../../src/routing/index.ts";
import { layersOf, problemLines, registryOf, shipped } from "./support.ts";

describe("a mistake in a file", () => {
  test.for([
    {
      mistake: "a backend that no layer defines",
      file: "routing.local.yaml",
      text: "capabilities:\n  cheap-code:\n    primary: stong\n",
      line: "error routing.local.yaml:3:5 capabilities.cheap-code.primary",
      says: 'no layer defines the backend "stong"; did you mean "strong"?',
    },
    {
      mistake: "such a backend in a list",
      file: "routing.local.yaml",
      text: "capabilities:\n  cheap-code:\n    fallback:\n      - cheap\n      - nope\n",
      line: "error routing.local.yaml:5:9 capabilities.cheap-code.fallback.1",
      says: 'no layer defines the backend "nope"',
    },
    {
      mistake: "a capability without a primary",
      file: "routing.local.yaml",
      text: "capabilities:\n  mine: {}\n",
      line: "error routing.local.yaml:2:3 capabilities.mine",
      says: "has no primary",
    },
    {
      mistake: "a list where a map belongs",
      file: "routing.local.json",
      text: '{"capabilities": {"cheap-code": ["p1/a"]}}',
      line: "error routing.local.json:1:19 capabilities.cheap-code",
      says: "must be a map",
    },
    {
      mistake: "the same key twice",
      file: "routing.local.json",
      text: '{"capabilities": {\n"cheap-code": {"primary": "cheap"},\n"cheap-code": {"primary": "strong"}}}',
      line: "error routing.local.json:3:1 cheap-code",
      says: 'the key "cheap-code" stands here a second time',
    },
    {
      mistake: "broken YAML",
      file: "models.local.yaml",
      text: "backends:\n  cheap: [\n",
      line: "error models.local.yaml:3:1",
      says: "",
    },
    {
      mistake: "text instead of a map",
      file: "models.local.yaml",
      text: "just words\n",
      line: "error models.local.yaml:1:1",
      says: "must be a map of keys",
    },
    {
      mistake: "a thinking level that is none",
      file: "models.local.yaml",
      text: "backends:\n  cheap:\n    thinking: hihg\n",
      line: "error models.local.yaml:3:5 backends.cheap.thinking",
      says: 'one of off, minimal, low, medium, high, xhigh, max; did you mean "high"?',
    },
    {
      mistake: "a thinking level of another type",
      file: "models.local.yaml",
      text: "backends: { cheap: { thinking: false } }\n",
      line: "error models.local.yaml:1:22 backends.cheap.thinking",
      says: "one of off, minimal",
    },
    {
      mistake: "a provider that holds part of the id",
      file: "models.local.yaml",
      text: "backends: { cheap: { provider: hub/vendor, model: m } }\n",
      line: "error models.local.yaml:1:22 backends.cheap.provider",
      says: "no / and no blanks",
    },
    {
      mistake: "a negative price",
      file: "models.local.yaml",
      text: "backends:\n  cheap:\n    price: { input: -1, output: 2 }\n",
      line: "error models.local.yaml:3:14 backends.cheap.price.input",
      says: "from 0",
    },
    {
      mistake: "a window that is no number",
      file: "models.local.yaml",
      text: "backends:\n  cheap:\n    context_window: 200k\n",
      line: "error models.local.yaml:3:5 backends.cheap.context_window",
      says: "a whole number of tokens",
    },
    {
      mistake: "an adapter that kit does not have",
      file: "models.local.yaml",
      text: "backends:\n  cheap:\n    adapter: telnet\n",
      line: "error models.local.yaml:3:5 backends.cheap.adapter",
      says: "one of pi",
    },
    {
      mistake: "an endpoint without its address",
      file: "models.local.yaml",
      text: "backends:\n  cheap:\n    adapter: openai\n    provider: lab\n    model: m\n",
      line: "error models.local.yaml:2:3 backends.cheap.base_url",
      says: "needs a base_url",
    },
    {
      mistake: "an address that sends prompts unencrypted to the world",
      file: "models.local.yaml",
      text: "backends:\n  cheap: { adapter: openai, provider: p, model: m, base_url: 'http://a.example.com' }\n",
      line: "error models.local.yaml:2:52 backends.cheap.base_url",
      says: "insecure_http",
    },
    {
      mistake: "an address with a query",
      file: "models.local.yaml",
      text: "backends:\n  cheap: { base_url: 'https://a.example.com/v1?x=1' }\n",
      line: "error models.local.yaml:2:12 backends.cheap.base_url",
      says: "without user, query and fragment",
    },
    {
      mistake: "an address that pi would never read",
      file: "models.local.yaml",
      text: "backends:\n  cheap: { provider: p, model: m, base_url: 'https://a.example.com' }\n",
      line: "warning models.local.yaml:2:35 backends.cheap.base_url",
      says: "is read by the adapter openai",
    },
    {
      mistake: "a key in place of its variable's name",
      file: "models.local.yaml",
      text: "backends:\n  cheap: { api_key_env: 7f3kq9zp2xw81mna }\n",
      line: "error models.local.yaml:2:12 backends.cheap.api_key_env",
      says: "no credentials here",
    },
    {
      mistake: "another version",
      file: "models.local.yaml",
      text: "version: 2\n",
      line: "error models.local.yaml:1:1 version",
      says: "this kit reads no other version",
    },
    {
      mistake: "a step of a ladder that no layer defines",
      file: "routing.local.yaml",
      text: "ladders:\n  code: [cheap-code, strng-code]\n",
      line: "error routing.local.yaml:2:22 ladders.code.1",
      says: 'did you mean "strong-code"?',
    },
    {
      mistake: "a capability named in capitals",
      file: "routing.local.yaml",
      text: "capabilities:\n  Mine: { primary: cheap }\n",
      line: "error routing.local.yaml:2:3 capabilities.Mine",
      says: "lower-case letters",
    },
    {
      mistake: "an unknown key",
      file: "models.local.yaml",
      text: "backends:\n  cheap:\n    thinkng: high\n",
      line: "warning models.local.yaml:3:5 backends.cheap.thinkng",
      says: 'unknown key; did you mean "thinking"?',
    },
    {
      mistake: "a binding in a routing file",
      file: "routing.local.yaml",
      text: "backends:\n  cheap:\n    model: small\n",
      line: "warning routing.local.yaml:3:5 backends.cheap.model",
      says: "belongs in models.local.yaml",
    },
    {
      mistake: "a binding that nothing uses",
      file: "models.local.yaml",
      text: "backends:\n  sotrng: { provider: p1, model: m }\n",
      line: "warning models.local.yaml:2:3 backends.sotrng",
      says: 'did you mean "strong"?',
    },
    {
      mistake: "a thinking level glued to the id",
      file: "models.local.yaml",
      text: "backends:\n  cheap: { provider: p1, model: 'm:high' }\n",
      line: "warning models.local.yaml:2:26 backends.cheap.model",
      says: "thinking: high",
    },
    {
      mistake: "a property that no backend can have",
      file: "routing.local.yaml",
      text: "capabilities:\n  cheap-code:\n    requires: { visoin: true }\n",
      line: "warning routing.local.yaml:3:17 capabilities.cheap-code.requires.visoin",
      says: 'did you mean "vision"?',
    },
  ])("$mistake is reported where it stands", async ({ file, text, line, says }) => {
    const registry = await registryOf({ shipped, user: { [file]: text } });

    expect(problemLines(registry)).toEqual([line]);
    expect(registry.problems[0]?.message).toContain(says);
  });

  test("leaves the rest of the file and the other files in force", async () => {
    const registry = await registryOf({
      shipped,
      user: {
        "models.local.yaml": {
          backends: {
            cheap: { provider: "p1", model: "small", thinking: "lots" },
            strong: { provider: "p1", model: "big" },
          },
        },
      },
    });

    expect([...registry.bindings.keys()]).toEqual(["cheap", "strong"]);
    expect(registry.bindings.get("cheap")?.value).not.toHaveProperty("thinking");
  });

  test("of encoding names the encoding", async () => {
    const layers = layersOf({ shipped, user: { "models.local.yaml": "" } });
    writeFileSync(
      join(layers[1]?.folder ?? "", "models.local.yaml"),
      Buffer.from("\uFEFFversion: 1\n", "utf16le"),
    );

    expect((await loadRegistry({ layers })).problems).toEqual([
      expect.objectContaining({ severity: "error", message: expect.stringContaining("UTF-16") }),
    ]);
  });

  test.for(["", "# nothing yet\n", "backends:\n", "version: 1\nbackends:\n  # cheap:\n"])(
    "is not what an empty file or section is: %j",
    async (text) => {
      const registry = await registryOf({ shipped, user: { "models.local.yaml": text } });

      expect(registry.problems).toEqual([]);
      expect(registry.unbound.get("cheap")).toBe("unbound");
    },
  );

  test("anchors and merge keys are read as YAML means them", async () => {
    const registry = await registryOf({
      shipped,
      user: {
        "models.local.yaml":
          "backends:\n  cheap: &base\n    provider: p1\n    model: small\n  strong:\n    <<: *base\n    thinking: high\n",
      },
    });

    expect(registry.problems).toEqual([]);
    expect(registry.bindings.get("strong")?.value).toMatchObject({
      provider: "p1",
      model: "small",
      thinking: "high",
    });
  });
});
