import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  contextPackSchemas,
  loadPack,
  packToJson,
  renderPack,
  selfCheckPack,
} from "../../src/context-pack/index.ts";

const folder = join(import.meta.dirname, "..", "..", "context-pack");
const examples = readdirSync(join(folder, "examples"));

test.each(Object.entries(contextPackSchemas()))("%s is current", (name, schema) => {
  expect(readFileSync(join(folder, name), "utf8")).toBe(`${JSON.stringify(schema, null, 2)}\n`);
});

describe("every example", () => {
  test.each(examples)("%s is a pack and passes its own check", (name) => {
    const read = loadPack(name, readFileSync(join(folder, "examples", name), "utf8"));

    expect(read).toMatchObject({ ok: true });
    expect(read.ok && selfCheckPack(read.pack).errors).toEqual([]);
  });

  test.each(examples.filter((name) => name.endsWith(".md")))(
    "%s is canonical and equals its JSON",
    (name) => {
      const markdown = readFileSync(join(folder, "examples", name), "utf8");
      const json = JSON.parse(
        readFileSync(join(folder, "examples", name.replace(/md$/, "json")), "utf8"),
      );
      const read = loadPack(name, markdown);
      if (!read.ok) throw new Error(JSON.stringify(read.errors));

      expect(renderPack(read.pack)).toBe(markdown);
      expect(packToJson(read.pack)).toEqual(json);
    },
  );
});

test("the pack that SPEC.md shows is one", () => {
  const spec = readFileSync(join(folder, "SPEC.md"), "utf8");
  const shown = /^````markdown\n([^]*?)^````$/m.exec(spec)?.[1] ?? "";

  const read = loadPack("pack.md", shown);

  expect(read).toMatchObject({ ok: true });
  expect(read.ok && renderPack(read.pack)).toBe(shown);
});

test("SPEC.md names every section", () => {
  const spec = readFileSync(join(folder, "SPEC.md"), "utf8");
  const names = Object.values(contextPackSchemas()).flatMap((schema) =>
    Object.keys((schema as { properties: object }).properties),
  );

  expect(names.filter((name) => !spec.includes(`\`${name}\``))).toEqual([]);
});
