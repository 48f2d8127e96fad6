const runIdShape = /^\d{8}-\d{6}-[0-9a-z]{4}$/;

/** Whether a folder's name is the id of a run. */
export function isRunId(name: string): boolean {
  return runIdShape.test(name);
}

/**
 * An id that sorts by time: `20261130-191430-k3f9`, in UTC so that a change of clocks cannot
 * reorder runs. The first two of the last four characters are the fraction of the second.
 *
 * @param random gives a number in [0, 1), as `Math.random` does
 */
export function createRunId(now: Date, random: () => number): string {
  const [date = "", time = ""] = now.toISOString().split(/[T.]/);
  const fraction = base36(now.getUTCMilliseconds() / 1000);
  return `${date.replaceAll("-", "")}-${time.replaceAll(":", "")}-${fraction}${base36(random())}`;
}

/** Two characters for a share of one, in an order that text sorting keeps. */
function base36(share: number): string {
  return Math.floor(share * 36 * 36)
    .toString(36)
    .padStart(2, "0");
}
