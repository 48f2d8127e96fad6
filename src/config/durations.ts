const unitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 24 * 3_600_000,
  w: 7 * 24 * 3_600_000,
};

/** The longest duration a setting may have: a day, far below what a timer of Node can hold. */
export const longestMs = 24 * 3_600_000;

/**
 * Milliseconds of `60s`, `20m`, `30 min`, `1.5h`, `30d`, `2w`, `250ms`, or of a number of seconds;
 * `undefined` when the text is no duration.
 */
export function durationMs(value: string | number): number | undefined {
  if (typeof value === "number") return value * 1000;
  const match =
    /^\s*(\d+(?:\.\d+)?)\s*(ms|s|sec|secs|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)?\s*$/i.exec(
      value,
    );
  if (!match) return undefined;
  const word = (match[2] ?? "s").toLowerCase();
  const unit = unitsMs[word] ?? unitsMs[word.charAt(0)] ?? 1000;
  return Number(match[1]) * unit;
}
