import { goRows, rustRows } from "./compiled.ts";
import { nodeTestRows, typescriptRows } from "./javascript.ts";
import { pytestRows, unittestRows } from "./python.ts";
import type { RepositoryRow } from "./row.ts";
import { shellRows } from "./shell.ts";

/** Every small repository with a change and its right verdict. */
export const repositoryRows: readonly RepositoryRow[] = [
  ...shellRows,
  ...nodeTestRows,
  ...typescriptRows,
  ...unittestRows,
  ...pytestRows,
  ...goRows,
  ...rustRows,
];
