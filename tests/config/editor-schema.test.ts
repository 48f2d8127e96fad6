import { join } from "node:path";
import { expect, test } from "vitest";
import { settingsSchema } from "../../src/config/editor-schema.ts";

test("the schema of kit.yaml is what the shape renders", async () => {
  const { file, text } = settingsSchema();

  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, "..", "..", file));
});
