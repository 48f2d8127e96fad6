/**
 * Runs `effect` for every item, at most `limit` at a time. After the first error no further item
 * is begun; what is under way is waited for, so that nothing runs on behind the caller's back.
 * @throws the first error.
 */
export async function forEachAtOnce<T>(
  items: readonly T[],
  limit: number,
  effect: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const errors: unknown[] = [];
  const work = async (): Promise<void> => {
    for (const item of waiting) {
      if (errors.length > 0) return;
      try {
        await effect(item);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  if (errors.length > 0) throw errors[0];
}
