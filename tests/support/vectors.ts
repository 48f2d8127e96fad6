import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One line of the shared vectors: a small input with its right result. */
export interface Vector {
  readonly id: string;
  readonly area: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expect: Readonly<Record<string, unknown>>;
  readonly why: string;
}

/**
 * The vectors of one area from `vectors.jsonl` in `KIT_VECTORS_DIR`; `undefined`, said once on
 * stderr, where the variable is not set.
 */
export function vectorsOf(area: string): readonly Vector[] | undefined {
  const folder = process.env["KIT_VECTORS_DIR"];
  if (!folder) {
    process.stderr.write(`vectors of ${area}: skipped, KIT_VECTORS_DIR is not set\n`);
    return undefined;
  }
  return readFileSync(join(folder, "vectors.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Vector)
    .filter((vector) => vector.area === area);
}

/** For each key that an `expect` may have: what to look at, given the key's expected value. */
export type Views<T> = Readonly<Record<string, (actual: T, wanted: never) => unknown>>;

/** The result seen through the views of the expected keys, ready for `toEqual(expected)`. */
export function viewedAs<T>(
  views: Views<T>,
  actual: T,
  expected: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const entries = Object.entries(expected).map(([key, wanted]) => {
    const view = views[key];
    if (view === undefined) throw new Error(`no view of "${key}": the vector says something new`);
    return [key, view(actual, wanted as never)];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}
