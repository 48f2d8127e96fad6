/** A time for people, to the second: `2026-11-30T23:05:00Z`. */
export function timeText(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}
