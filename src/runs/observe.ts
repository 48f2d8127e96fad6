import type { Emit, Event } from "../contracts/index.ts";
import type { ObjectStore } from "./objects.ts";
import { redactDeep } from "./redacted.ts";

/**
 * Looks at the world and keeps what was seen, so that a replay of the run sees the same. What is
 * seen has to survive JSON.
 *
 * @returns what `look` gave, as it gave it. @throws what `look` throws; nothing is kept then
 */
export type Observe = <T>(key: string, look: () => Promise<T>) => Promise<T>;

/** Characters of JSON that stand in the event itself; more is an object. */
const INLINE_CHARS = 2_000;
/** Characters of JSON that are kept at all: a list of some 100,000 files. */
const MOST_CHARS = 8 * 1024 * 1024;

export function createObserve(objects: Pick<ObjectStore, "putExact">, emit: Emit): Observe {
  return async (key, look) => {
    const seen = await look();
    await emit({ type: "observed", key, ...kept(seen ?? null, objects) });
    return seen;
  };
}

type Kept = Pick<Extract<Event, { type: "observed" }>, "value" | "object" | "lost">;

/** Exactly or not at all: with a secret masked, a replay would see something else. */
function kept(value: unknown, objects: Pick<ObjectStore, "putExact">): Kept {
  const text = JSON.stringify(value);
  if (text.length > MOST_CHARS) return { lost: "size" };
  if (text.length <= INLINE_CHARS) {
    return JSON.stringify(redactDeep(value)) === text ? { value } : { lost: "secret" };
  }
  const object = objects.putExact(text);
  return object === undefined ? { lost: "secret" } : { object };
}
