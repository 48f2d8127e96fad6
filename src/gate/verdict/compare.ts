import type {
  CommandResult,
  Evidence,
  GateResult,
  Verdict,
  VerdictKind,
} from "../../contracts/index.ts";
import { missingTests, silencedTest } from "./collected.ts";
import { commandText } from "../commands/commands.ts";
import { countTests } from "./counts.ts";
import { digest } from "./digest.ts";
import { endedText, isGreen } from "./ended.ts";
import { bothUnsteady, steady, testKey, type Unsteady, unsteadyNames } from "./steadiness.ts";

/** What `compare` knows beside the two results. */
export interface CompareOptions {
  /** The plan creates test files: a green is then evidence of its own. */
  readonly createsTests: boolean;
  /** For the digest. */
  readonly root: string;
  readonly maxDigestChars?: number;
  /** What differed between runs of each of the two trees. */
  readonly unsteady?: { readonly baseline: Unsteady; readonly change: Unsteady };
  /** Existing test files that the change edits or deletes, where that was allowed. */
  readonly editedTests?: ReadonlySet<string>;
}

/** Characters of a digest unless asked otherwise; some 2,000 tokens. */
const defaultDigestChars = 8_000;

/** What one command says against the change. */
interface Reds {
  /** Red with the change and not before, in words. */
  readonly newly: readonly string[];
  /** Red before and still, in words. */
  readonly still: readonly string[];
  /** Red only by what gives different results on one tree. */
  readonly isUnsteady: boolean;
}

/**
 * Judges the change against the baseline; both ran the same commands in the same order. A command
 * whose tests both sides tell apart is compared test by test, any other by exit code and by the
 * runner's own counts.
 */
export function compare(
  baseline: GateResult,
  change: GateResult,
  options: CompareOptions,
): Verdict {
  const maxChars = options.maxDigestChars ?? defaultDigestChars;
  const { unsteady = { baseline: steady, change: steady } } = options;
  const differing = bothUnsteady(unsteady.baseline, unsteady.change);
  const pairs = change.commands.map((now, place) => ({
    now,
    before: baseline.commands[place],
    isUnsteady: (id: string) => differing.tests.has(testKey(place, id)),
    isUnsteadyBefore: unsteady.baseline.commands.has(place),
    isUnsteadyNow: unsteady.change.commands.has(place),
  }));
  const isByTest = pairs.every(({ now, before }) => now.tests && before?.tests);
  const verdict = (
    kind: VerdictKind,
    evidence: Evidence,
    summary: string,
    progress = false,
  ): Verdict => ({
    kind,
    accepted: kind === "fixed" || kind === "green",
    basis: isByTest && pairs.length > 0 ? "tests" : "exit_code",
    evidence,
    summary: summary + leftOut(differing, change),
    digest:
      kind === "fixed" || kind === "green"
        ? ""
        : digest(withoutUnsteady(change.commands, differing), { root: options.root, maxChars }),
    progress,
  });
  if (pairs.length === 0) {
    return verdict("unconfigured", "none", "no test command judged the change");
  }
  const fault = change.environment;
  if (fault !== undefined && (!fault.possiblyByChange || baseline.environment !== undefined)) {
    return verdict("environment", "none", fault.cause);
  }
  const reds = pairs.map(redsOf);
  const newly = reds.flatMap((each) => each.newly);
  if (newly.length > 0) {
    return verdict("regressed", "none", `green before the change, red with it: ${listed(newly)}`);
  }
  const still = reds.flatMap((each) => each.still);
  if (still.length > 0) {
    const isWhole = pairs.every(
      ({ now, before }) => before === undefined || lostFiles(now, before).size === 0,
    );
    const progress = isWhole && failing(change) < failing(baseline);
    return verdict("unchanged_red", "none", `still red: ${listed(still)}`, progress);
  }
  if (reds.some(({ isUnsteady }) => isUnsteady) || !change.green) {
    return verdict("flaky", "none", "the same tree gave different results, and no run was green");
  }
  const { editedTests = new Set<string>() } = options;
  for (const pair of pairs) {
    const silenced = silencedTest(pair.now, pair.before, { ...pair, editedTests });
    if (silenced !== undefined) return verdict("weakened", "none", silenced);
    const missing = missingTests(pair.now, pair.before, { ...pair, editedTests });
    if (missing !== undefined) return verdict("vacuous", "none", missing);
  }
  if (pairs.some(wasRed)) {
    return verdict("fixed", "fixed", "the tests were red before the change and are green with it");
  }
  return options.createsTests && pairs.some(hasNewTest)
    ? verdict("green", "new tests", "the tests stay green, new ones among them")
    : verdict("green", "none", "the tests stay green; none of them was red before the change");
}

interface Pair {
  readonly now: CommandResult;
  readonly before: CommandResult | undefined;
  readonly isUnsteady: (id: string) => boolean;
  readonly isUnsteadyBefore: boolean;
  readonly isUnsteadyNow: boolean;
}

function redsOf({ now, before, isUnsteady, isUnsteadyBefore, isUnsteadyNow }: Pair): Reds {
  const nothing = { newly: [], still: [], isUnsteady: false };
  // The exit code alone cannot say whether the change brought the difference.
  if (isUnsteadyNow) return { ...nothing, isUnsteady: true };
  if (isGreen(now)) return nothing;
  const wasGreen = before !== undefined && isGreen(before);
  const failed = failedIds(now);
  if (failed.length === 0 || before?.tests === undefined) {
    if (isUnsteadyBefore) return { ...nothing, isUnsteady: true };
    const text = `${commandText(now.command)} (${endedText(now.ended)})`;
    return wasGreen ? { ...nothing, newly: [text] } : { ...nothing, still: [text] };
  }
  const counted = failed.filter((id) => !isUnsteady(id));
  if (counted.length === 0) return { ...nothing, isUnsteady: true };
  const gone = lostFiles(now, before);
  const statuses = new Map(before.tests.map(({ id, status }) => [id, status]));
  const files = new Map(now.tests?.map(({ id, file }) => [id, file]));
  // Beside tests that were red, a red one of a new id is part of the same work, unless it stands
  // where green ones are gone: a file that no longer loads.
  const newly = counted.filter((id) => {
    const was = statuses.get(id);
    return wasGreen || was === "passed" || (was === undefined && gone.has(files.get(id)));
  });
  return { ...nothing, newly, still: counted.filter((id) => !newly.includes(id)) };
}

/** Files of tests that passed before and were not run now; undefined: of tests of unknown files. */
function lostFiles(now: CommandResult, before: CommandResult): ReadonlySet<string | undefined> {
  const present = new Set(now.tests?.map(({ id }) => id));
  const lost = before.tests?.filter(({ id, status }) => status === "passed" && !present.has(id));
  return new Set(lost?.map(({ file }) => file));
}

function wasRed({ before, isUnsteady, isUnsteadyBefore }: Pair): boolean {
  if (before === undefined || isGreen(before)) return false;
  const failed = failedIds(before);
  return failed.length > 0 ? failed.some((id) => !isUnsteady(id)) : !isUnsteadyBefore;
}

function hasNewTest({ now, before }: Pair): boolean {
  if (now.tests === undefined || before?.tests === undefined) return true;
  const known = new Set(before.tests.map(({ id }) => id));
  return now.tests.some(({ id, status }) => status === "passed" && !known.has(id));
}

function failedIds({ tests = [] }: CommandResult): readonly string[] {
  return tests.flatMap(({ id, status }) => (status === "failed" ? id : []));
}

/** Failing tests in all; NaN, which is less than nothing, where a red command cannot be counted. */
function failing({ commands }: GateResult): number {
  const counts = commands.map((each) => {
    if (isGreen(each)) return 0;
    const failed = failedIds(each).length;
    return failed > 0 ? failed : (countTests(each.output)?.failed ?? Number.NaN);
  });
  return counts.reduce((sum, each) => sum + each, 0);
}

function withoutUnsteady(
  commands: readonly CommandResult[],
  { tests: unsteady }: Unsteady,
): readonly CommandResult[] {
  return commands.map((result, place) => {
    if (result.tests === undefined) return result;
    const tests = result.tests.filter(({ id }) => !unsteady.has(testKey(place, id)));
    return { ...result, tests };
  });
}

function leftOut(differing: Unsteady, change: GateResult): string {
  const names = unsteadyNames(differing, change);
  return names.length === 0 ? "" : `; flaky, and left out: ${listed(names)}`;
}

/** Names a person reads; of many only the first. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}
