import { expect, test } from "vitest";
import { parse } from "yaml";
import { mergeBindings } from "../../../src/cli/setup/merge-bindings.ts";
import type { ProposedBinding } from "../../../src/cli/setup/propose-bindings.ts";

const proposed: ProposedBinding[] = ["cheap", "strong"].map((backend) => ({
  backend,
  model: { adapter: "pi", provider: "new", model: `${backend}-1`, isLocal: false },
  because: "the only one",
}));

function textOf(merged: ReturnType<typeof mergeBindings>): string {
  return "text" in merged ? merged.text : `refused: ${merged.refused}`;
}

test("every other key and every comment stays, and what is put in says why", () => {
  const before = [
    "# yaml-language-server: $schema=models.schema.json",
    "version: 1",
    "",
    "# mine",
    "backends:",
    "  deep:",
    "    provider: acme",
    "    model: 'large: one' # quoted",
    "    price: { input: 1, output: 2 }",
    "  # about strong",
    "  strong:",
    "    provider: TODO-provider",
    "    model: TODO-model",
    "# the end",
    "",
  ].join("\n");

  const text = textOf(mergeBindings(before, proposed));

  expect(text.split("\n").filter((line) => !before.split("\n").includes(line))).toEqual([
    "    provider: new",
    "    model: strong-1",
    "  # the only one (window unknown; no price known)",
    "  cheap:",
    "    provider: new",
    "    model: cheap-1",
  ]);
  for (const line of before.split("\n").filter((each) => !each.includes("TODO"))) {
    expect(text).toContain(line);
  }
});

test.each<[string, string]>([
  ["an empty file", ""],
  ["a file of comments", "# nothing yet\n"],
  ["a file with an empty section", "version: 1\nbackends:\n"],
  ["bindings in braces", "backends: { deep: { provider: a, model: b } }\n"],
  ["an anchor", "backends:\n  deep: &d { provider: a, model: b }\n  other: *d\n"],
  ["a disabled backend", "backends:\n  local: null\n"],
])("%s gets the bindings and keeps what it holds", (_title, before) => {
  const text = textOf(mergeBindings(before, proposed));

  const old = (parse(before) ?? {}) as { backends?: object | null };
  expect(parse(text)).toEqual({
    ...old,
    backends: {
      ...old.backends,
      cheap: { provider: "new", model: "cheap-1" },
      strong: { provider: "new", model: "strong-1" },
    },
  });
});

test.each([
  ["no YAML", "backends: [\n", "it is no valid YAML"],
  ["a list", "- a\n", "it is no map"],
  [
    "a comment inside of what is replaced",
    "backends:\n  cheap:\n    # resets on Mondays\n    provider: TODO\n",
    "its comments would not all stay",
  ],
])("%s is left to the user", (_title, before, refused) => {
  expect(mergeBindings(before, proposed)).toEqual({ refused });
});
