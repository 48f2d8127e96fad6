import type { Failure, Verdict, VerdictKind } from "../../contracts/index.ts";

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
  if (kind === "tests_failed") {
    const { digest, progress } = verdict;
    return { kind, message, digest, ...(progress && { progress }) };
  }
  if (kind === "tests_weakened") return { kind, message, paths: [] };
  if (kind === "environment") return { kind, message, ...(mend === undefined ? {} : { mend }) };
  return { kind, message };
}
