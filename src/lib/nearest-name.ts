/**
 * The known name that a mistyped one most likely means, or `undefined` when none is near: at
 * most two edits (one in names of up to four letters), letter case ignored.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const allowed = name.length <= 4 ? 1 : 2;
  let best: { name: string; distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance > allowed || (best && best.distance <= distance)) continue;
    best = { name: candidate, distance };
  }
  return best?.name;
}

/** `; did you mean "cheap"?`, or nothing where no known name is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? "" : `; did you mean "${nearest}"?`;
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn one text into another. */
function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && swapped) {
        cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1);
      }
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}
