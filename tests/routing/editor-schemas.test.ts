import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { routingSchemas } from "../../src/routing/editor-schemas.ts";

const root = join(import.meta.dirname, "..", "..");

test.for(routingSchemas())("$file is what the shape renders", async ({ file, text }) => {
  await expect(text).toMatchFileSnapshot(join(root, file));
});

test.for([
  ["routing/routing.yaml", "routing/routing.schema.json"],
  ["routing/classify.yaml", "routing/classify.schema.json"],
  ["adapters/pi/models.yaml", "routing/models.schema.json"],
  ["adapters/pi/models.local.example.yaml", "routing/models.schema.json"],
])("%s names its schema on the first line", ([file = "", schema = ""]) => {
  const [, named = ""] =
    /^# yaml-language-server: \$schema=(.*)\n/.exec(readFileSync(join(root, file), "utf8")) ?? [];

  expect(join(file, "..", named)).toBe(schema);
});
