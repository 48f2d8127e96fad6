import { diffArrays } from "diff";

/** One step from old lines to new ones; `count` lines each. */
export interface DiffStep {
  readonly kind: "keep" | "remove" | "add";
  readonly count: number;
}

/** Beyond this many changed lines the rest counts as replaced as a whole: diffing is quadratic in them. */
const maxEditLength = 4_000;

/** The steps that turn `before` into `after`, removals before additions. */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
): readonly DiffStep[] {
  let head = 0;
  const shorter = Math.min(before.length, after.length);
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (
    tail < shorter - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail += 1;
  }
  const oldMiddle = before.slice(head, before.length - tail);
  const newMiddle = after.slice(head, after.length - tail);
  return [
    { kind: "keep" as const, count: head },
    ...middleSteps(oldMiddle, newMiddle),
    { kind: "keep" as const, count: tail },
  ].filter((step) => step.count > 0);
}

function middleSteps(before: readonly string[], after: readonly string[]): readonly DiffStep[] {
  const replaced: readonly DiffStep[] = [
    { kind: "remove", count: before.length },
    { kind: "add", count: after.length },
  ];
  if (before.length === 0 || after.length === 0) return replaced;
  const parts = diffArrays([...before], [...after], { maxEditLength });
  if (parts === undefined) return replaced;
  return parts.map((part) => ({
    kind: part.added ? "add" : part.removed ? "remove" : "keep",
    count: part.count,
  }));
}
