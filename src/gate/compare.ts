import type {
  CommandResult,
  Evidence,
  Failure,
  GateResult,
  Verdict,
  VerdictKind,
} from "../contracts/index.ts";
import { commandText } from "./commands.ts";
import { countTests, hasSummary } from "./counts.ts";
import { digest } from "./digest.ts";
import { endedText, isGreen } from "./ended.ts";

/** What `compare` knows beside the two results. */
export interface CompareOptions {
  /** The plan creates test files: a green is then evidence of its own. */
  readonly createsTests: boolean;
  /** For the digest. */
  readonly root: string;
  readonly maxDigestChars?: number;
}

/** Characters of a digest unless asked otherwise; some 2,000 tokens. */
const defaultDigestChars = 8_000;

/**
 * Judges the change against the baseline; both ran the same commands in the same order. First
 * version: by exit code, with the runners' own counts to tell a green from an empty one.
 */
export function compare(
  baseline: GateResult,
  change: GateResult,
  options: CompareOptions,
): Verdict {
  const maxChars = options.maxDigestChars ?? defaultDigestChars;
  const verdict = (
    kind: VerdictKind,
    evidence: Evidence,
    summary: string,
    progress = false,
  ): Verdict => ({
    kind,
    accepted: kind === "fixed" || kind === "green",
    basis: "exit_code",
    evidence,
    summary,
    digest:
      kind === "fixed" || kind === "green"
        ? ""
        : digest(change.commands, { root: options.root, maxChars }),
    progress,
  });
  if (change.commands.length === 0) {
    return verdict("unconfigured", "none", "no test command judged the change");
  }
  const fault = change.environment;
  if (fault !== undefined && (!fault.possiblyByChange || baseline.environment !== undefined)) {
    return verdict("environment", "none", fault.cause);
  }
  if (!change.green) return redVerdict(baseline, change, verdict);
  const empty = change.commands.find((result, index) => isEmpty(result, baseline.commands[index]));
  if (empty !== undefined) return verdict("vacuous", "none", emptySummary(empty, baseline, change));
  if (!baseline.green) {
    return verdict("fixed", "fixed", "the tests were red before the change and are green with it");
  }
  return options.createsTests
    ? verdict("green", "new tests", "the tests stay green, new ones among them")
    : verdict("green", "none", "the tests stay green; none of them was red before the change");
}

/** What each verdict is for the attempt that it judges. */
const failureKindOf = {
  fixed: undefined,
  green: undefined,
  regressed: "tests_failed",
  unchanged_red: "tests_failed",
  flaky: "flaky",
  vacuous: "vacuous",
  insensitive: "vacuous",
  weakened: "tests_weakened",
  environment: "environment",
  unconfigured: "environment",
} as const satisfies Readonly<Record<VerdictKind, Failure["kind"] | undefined>>;

/** The failure a verdict is; undefined for an accepted one. `mend`: what mends the environment. */
export function failureOf(verdict: Verdict, mend?: string): Failure | undefined {
  const kind = failureKindOf[verdict.kind];
  const message = verdict.summary;
  if (kind === undefined) return undefined;
  if (kind === "tests_failed") return { kind, message, digest: verdict.digest };
  if (kind === "tests_weakened") return { kind, message, paths: [] };
  if (kind === "environment") return { kind, message, ...(mend === undefined ? {} : { mend }) };
  return { kind, message };
}

function redVerdict(
  baseline: GateResult,
  change: GateResult,
  verdict: (kind: VerdictKind, evidence: Evidence, summary: string, progress?: boolean) => Verdict,
): Verdict {
  const red = change.commands.filter((result) => !isGreen(result));
  const newlyRed = red.filter((result) => {
    const before = baseline.commands[change.commands.indexOf(result)];
    return before !== undefined && isGreen(before);
  });
  const progress = newlyRed.length === 0 && failing(change) < failing(baseline);
  const named = (results: readonly CommandResult[]): string =>
    results
      .map((result) => `${commandText(result.command)} (${endedText(result.ended)})`)
      .join(", ");
  return newlyRed.length > 0
    ? verdict("regressed", "none", `green before the change, red with it: ${named(newlyRed)}`)
    : verdict("unchanged_red", "none", `still red: ${named(red)}`, progress);
}

/** Failing tests in all; NaN, which is less than nothing, where a red command cannot be counted. */
function failing(result: GateResult): number {
  return result.commands
    .map((each) => (isGreen(each) ? 0 : (countTests(each.output)?.failed ?? Number.NaN)))
    .reduce((sum, each) => sum + each, 0);
}

function isEmpty(result: CommandResult, before: CommandResult | undefined): boolean {
  const now = countTests(result.output);
  const then = before === undefined ? undefined : countTests(before.output);
  // A change that ends the process before its tests leaves a green without a summary.
  if (now === undefined) return then !== undefined && !hasSummary(result.output);
  return now.ran === 0 || (then !== undefined && then.runner === now.runner && now.ran < then.ran);
}

function emptySummary(empty: CommandResult, baseline: GateResult, change: GateResult): string {
  const text = commandText(empty.command);
  const now = countTests(empty.output);
  if (now === undefined) {
    return `${text} is green, but the runner's summary is missing: it may have ended early`;
  }
  if (now.ran === 0) return `no test was run by ${text}`;
  const before = baseline.commands[change.commands.indexOf(empty)];
  const then = before === undefined ? undefined : countTests(before.output);
  return `${text} ran ${now.ran} tests, ${then?.ran ?? 0} before the change`;
}
