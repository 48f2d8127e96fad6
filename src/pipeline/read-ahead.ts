/** What is made of a reply, ahead of the time where it was known to be whole. */
export interface ReadAhead<T> {
  /** Reads a reply that is there; nobody may ask for it in the end. */
  prepare(reply: string): void;
  /** What became of a reply; reads it where it was not prepared, and forgets it. */
  take(reply: string): T;
}

/** @param read changes nothing, as what it gives may never be taken */
export function createReadAhead<T>(read: (reply: string) => T): ReadAhead<T> {
  let ahead: { readonly reply: string; readonly result: T } | undefined;
  return {
    prepare(reply) {
      ahead = { reply, result: read(reply) };
    },
    take(reply) {
      const known = ahead;
      ahead = undefined;
      return known?.reply === reply ? known.result : read(reply);
    },
  };
}
