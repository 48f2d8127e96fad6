import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./bundle.ts";
import { generatedFiles } from "./generated/index.ts";

// Writes what follows from the sources: notices, JSON Schemas, the reference of commands.

for (const [path, content] of await generatedFiles()) {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
