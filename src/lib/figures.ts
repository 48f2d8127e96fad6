/** `0.3 s`, `12 s`, `2 min 5 s` */
export function formatDuration(ms: number): string {
  const tenths = Math.round(ms / 100) / 10;
  if (tenths < 10) return `${tenths.toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? "" : ` ${rest} s`}`;
}

/** `12,345`; `toLocaleString` would load 10 ms of language data for it. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 file`, `3 files` */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * `$0.0123`; `at least $0.0123 (2 calls of unknown cost)`; `cost unknown`. Unknown is never shown
 * as zero.
 */
export function formatCost(costUsd: number | undefined, unknownCalls: number): string {
  if (costUsd === undefined) return unknownCalls === 0 ? "$0" : "cost unknown";
  const known = `$${significant(costUsd)}`;
  if (unknownCalls === 0) return known;
  return `at least ${known} (${counted(unknownCalls, "call")} of unknown cost)`;
}

/** Cents for dollars, four digits below them, two significant ones below those. */
function significant(usd: number): string {
  if (usd === 0) return "0";
  if (usd >= 1) return usd.toFixed(2);
  if (usd >= 0.0001) return usd.toFixed(4);
  return Number(usd.toPrecision(2)).toFixed(8).replace(/0+$/, "");
}
