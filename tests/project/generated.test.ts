import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generatedFiles } from "../../scripts/generated/index.ts";

const root = join(import.meta.dirname, "..", "..");

test("generated files are current: npm run generate", async () => {
  const files = await generatedFiles();

  const stale = [...files].filter(([path, content]) => {
    try {
      return readFileSync(join(root, path), "utf8") !== content;
    } catch {
      return true;
    }
  });

  expect(stale.map(([path]) => path)).toEqual([]);
});

test("docs/schemas holds nothing but generated schemas", async () => {
  const files = await generatedFiles();

  const others = readdirSync(join(root, "docs", "schemas")).filter(
    (name) => !files.has(`docs/schemas/${name}`),
  );

  expect(others).toEqual([]);
});
