import type { Emit, GateResult } from "../contracts/index.ts";
import {
  isRepeatable,
  steady,
  type Unsteady,
  unsteadyBetween,
  unsteadyNames,
} from "../gate/index.ts";
import type { RunRequest } from "./ports.ts";
import { testTree } from "./tests.ts";

/** What the tests say of a tree without kit's change, and what of it can be relied on. */
export interface Ground {
  readonly result: GateResult;
  /** What differed between two runs: no change mends it, and none broke it. */
  readonly unsteady: Unsteady;
  /** Said by an earlier run of the same tree. */
  readonly isFromCache?: boolean;
}

/**
 * Runs the tests once more where the untouched tree is red: what turns green by itself would
 * otherwise be credited to the next change. A green one, a broken machine and a command that was
 * stopped are believed.
 * @param name as for `testTree`, of the second run
 * @param onStarted as for `testTree`; not called where nothing runs again
 */
export async function groundOf(
  first: GateResult,
  request: RunRequest,
  signal: AbortSignal,
  name: string,
  say: Emit,
  onStarted?: () => void,
): Promise<Ground> {
  const believed = { result: first, unsteady: steady };
  if (first.green || first.environment !== undefined || !isRepeatable(first)) return believed;
  const again = await testTree(request, signal, name, onStarted);
  if (signal.aborted) return believed;
  const unsteady = unsteadyBetween(first, again);
  await sayUnsteady(unsteady, first, "on the untouched tree", say);
  return { result: first, unsteady };
}

/** Says what gave different results. `where`: which tree, in words. */
export async function sayUnsteady(
  unsteady: Unsteady,
  result: GateResult,
  where: string,
  say: Emit,
): Promise<void> {
  const names = unsteadyNames(unsteady, result);
  if (names.length === 0) return;
  const message = `Red and green ${where}, so nobody is blamed for it and nothing is shown by it: ${names.join(", ")}`;
  await say({ type: "note", level: "warning", message });
}
