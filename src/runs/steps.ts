import type { Emit, RecordedEvent } from "../contracts/index.ts";
import type { ObjectStore } from "./objects.ts";

/**
 * Runs an effect once in the life of a run. `key` names it (`coder/2/call/1`), `inputHash` is the
 * SHA-256 of all it depends on; a finished effect of equal key and input is read from the log.
 *
 * @returns what the effect gave, as JSON brings it back: a fresh run and a resumed one see the same
 * @throws what the effect throws; a failed effect is not recorded and runs again
 */
export type Step = <T>(key: string, inputHash: string, effect: () => Promise<T>) => Promise<T>;

/** @param before the events of the run so far */
export function createStep(
  before: readonly RecordedEvent[],
  objects: ObjectStore,
  emit: Emit,
): Step {
  const finished = new Map<string, string>();
  for (const event of before) {
    if (event.type !== "effect_finished") continue;
    finished.set(`${event.inputHash} ${event.key}`, event.result);
  }

  return async <T>(key: string, inputHash: string, effect: () => Promise<T>): Promise<T> => {
    const result = finished.get(`${inputHash} ${key}`);
    if (result !== undefined) return JSON.parse((await objects.get(result)).toString("utf8")) as T;
    const text = JSON.stringify((await effect()) ?? null);
    // A result that holds a secret is not kept: replaying a redacted one would write the
    // redaction into the user's files. A resumed run does the effect again.
    const kept = await objects.putExact(text);
    if (kept !== undefined) {
      await emit({ type: "effect_finished", key, inputHash, result: kept });
      finished.set(`${inputHash} ${key}`, kept);
    }
    return JSON.parse(text) as T;
  };
}
