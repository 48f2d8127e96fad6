import type { ChangeSummary } from "../../contracts/index.ts";

/** The cells of one line of a diff stat: kind, path, lines added and removed. */
export function changeRow({ kind, path, to, added, removed }: ChangeSummary): string[] {
  return [kind, to === undefined ? path : `${path} → ${to}`, `+${added} −${removed}`];
}
