import {
  type GateResult,
  type TestCase,
  type TestMove,
  testMoves,
  type TestTally,
  type TestVerdict,
  type VerdictTable,
} from "../../contracts/index.ts";
import { commandText } from "../commands/commands.ts";

/** More tests than this are not listed one by one; those that matter come first. */
const mostTests = 500;
/** Of those that moved, named in the tally. */
const mostNamed = 50;
const mostIdChars = 200;

/**
 * The tests of the change beside the same tests of the baseline. Those that are gone are named for
 * commands that ran on both sides: a narrower command leaves out the others on purpose. Undefined
 * where no command of the change says its tests.
 */
export function verdictTable(
  baseline: GateResult | undefined,
  change: GateResult,
): VerdictTable | undefined {
  if (change.commands.every(({ tests }) => tests === undefined)) return undefined;
  const all = change.commands.flatMap((now) => {
    const same = baseline?.commands.find(
      (each) => commandText(each.command) === commandText(now.command),
    );
    const before = same ? [same] : (baseline?.commands ?? []);
    const told = before.flatMap(({ tests = [] }) => tests);
    return rowsOf(now.tests ?? [], told, same !== undefined);
  });
  const count = (status: TestCase["status"]): number =>
    all.filter(({ after }) => after === status).length;
  const tests = all.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, mostTests);
  const counts = {
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
  };
  return {
    tests,
    leftOut: all.length - tests.length,
    ...counts,
    tally: { ...counts, ...movesOf(all) },
  };
}

function movesOf(all: readonly TestVerdict[]): Pick<TestTally, "moves" | "named"> {
  const moved = testMoves.map((move) => ({
    move,
    ids: all.filter((test) => moveOf(test) === move).map(({ id }) => id),
  }));
  const named = moved.flatMap(({ move, ids }) =>
    ids.slice(0, mostNamed).map((id) => ({ id: shortened(id), move })),
  );
  return {
    moves: Object.fromEntries(
      moved.filter(({ ids }) => ids.length > 0).map(({ move, ids }) => [move, ids.length]),
    ),
    named: named.slice(0, mostNamed),
  };
}

function moveOf({ before, after }: TestVerdict): TestMove | undefined {
  if (after === "failed") return before === "failed" ? "still_red" : "regressed";
  if (after === undefined) return "gone";
  if (after === "skipped") return before === undefined || before === after ? undefined : "skipped";
  return before === "failed" ? "fixed" : undefined;
}

function shortened(id: string): string {
  return id.length <= mostIdChars ? id : `${id.slice(0, mostIdChars - 1)}…`;
}

function rowsOf(
  after: readonly TestCase[],
  before: readonly TestCase[],
  isSameCommand: boolean,
): TestVerdict[] {
  const known = new Map(before.map((test) => [test.id, test]));
  const present = new Set(after.map(({ id }) => id));
  const gone = isSameCommand ? before.filter(({ id }) => !present.has(id)) : [];
  return [
    ...after.map((test) => rowOf(known.get(test.id), test)),
    ...gone.map((test) => rowOf(test, undefined)),
  ];
}

function rowOf(before: TestCase | undefined, after: TestCase | undefined): TestVerdict {
  const file = after?.file ?? before?.file;
  const message = after?.message ?? before?.message;
  return {
    id: after?.id ?? before?.id ?? "",
    ...(file !== undefined && { file }),
    ...(before && { before: before.status }),
    ...(after && { after: after.status }),
    ...(message !== undefined && { message }),
  };
}

/** Newly red, still red, mended, gone, changed or new, as before. */
function rankOf({ before, after }: TestVerdict): number {
  if (after === "failed") return before === "failed" ? 1 : 0;
  if (before === "failed") return 2;
  if (after === undefined) return 3;
  return before === after ? 5 : 4;
}
