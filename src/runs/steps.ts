import type { Emit, RecordedEvent } from "../contracts/index.ts";
import { sha256 } from "../lib/text.ts";
import type { ObjectStore } from "./objects.ts";

/**
 * Runs an effect once in the life of a run. `key` names it (`the tests of the untouched tree`),
 * `inputHash` is the SHA-256 of all it depends on; a finished effect of equal key and input is read
 * from the log.
 *
 * @param isFinished whether a result may stand for the effect from now on; default: any
 * @returns what the effect gave, as JSON brings it back: a fresh run and a resumed one see the same
 * @throws what the effect throws; a failed effect is not recorded and runs again
 */
export type Step = <T>(
  key: string,
  inputHash: string,
  effect: () => Promise<T>,
  isFinished?: (result: T) => boolean,
) => Promise<T>;

/** What a finished effect gave; undefined where it has to be done. */
export type Recall = <T>(key: string, inputHash: string) => Promise<T | undefined>;

/** @param before the events of the run so far */
export function createSteps(
  before: readonly RecordedEvent[],
  objects: ObjectStore,
  emit: Emit,
): { readonly step: Step; readonly recall: Recall } {
  const finished = new Map<string, string>();
  for (const event of before) {
    if (event.type !== "effect_finished") continue;
    finished.set(`${event.inputHash} ${event.key}`, event.result);
  }

  async function recall<T>(key: string, inputHash: string): Promise<T | undefined> {
    const result = finished.get(`${inputHash} ${key}`);
    if (result === undefined) return undefined;
    const kept = await objects.get(result).catch(() => undefined);
    // What a power cut or a clean-up took is done again.
    if (kept === undefined || sha256(kept) !== result) return undefined;
    return JSON.parse(kept.toString("utf8")) as T;
  }

  return {
    recall,
    async step<T>(
      key: string,
      inputHash: string,
      effect: () => Promise<T>,
      isFinished: (result: T) => boolean = () => true,
    ): Promise<T> {
      const known = await recall<T>(key, inputHash);
      if (known !== undefined) return known;
      const result = await effect();
      const text = JSON.stringify(result ?? null);
      // A result that holds a secret is not kept: replaying a redacted one would write the
      // redaction into the user's files. A resumed run does the effect again.
      const kept = isFinished(result) ? objects.putExact(text) : undefined;
      if (kept !== undefined) {
        await emit({ type: "effect_finished", key, inputHash, result: kept });
        finished.set(`${inputHash} ${key}`, kept);
      }
      return JSON.parse(text) as T;
    },
  };
}
