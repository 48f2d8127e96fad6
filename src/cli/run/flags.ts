import { KitError, type SandboxMode } from "../../contracts/index.ts";
import type { LandingPlace, RunLimits, RunOptions } from "../../pipeline/index.ts";
import type { Project, ProjectRequest } from "../project.ts";
import type { WatchFlags } from "./watchers.ts";

/** The options of `kit run` as commander gives them. */
export interface RunFlags extends WatchFlags {
  readonly task?: string;
  readonly taskFile?: string;
  readonly repo?: string;
  readonly dryRun?: true;
  readonly pack?: string;
  readonly test?: readonly string[];
  readonly review?: boolean;
  readonly reviewers?: number;
  readonly maxAttempts?: number;
  readonly maxCalls?: number;
  /** Milliseconds. */
  readonly timeout?: number;
  /** Milliseconds. */
  readonly stepTimeout?: number;
  readonly budgetUsd?: number;
  readonly budgetTokens?: number;
  /** Milliseconds; `true` without a time. */
  readonly wait?: number | true;
  readonly capability?: string;
  readonly agent?: string;
  /** The one backend that the coder may ask. */
  readonly candidate?: string;
  /** So many candidates at once. */
  readonly race?: number;
  /** Absolute folder that the one run of a race makes which may land. */
  readonly claim?: string;
  readonly model?: readonly string[];
  readonly isolate?: true;
  readonly branch?: string;
  readonly commit?: true;
  readonly keepFailed?: true;
  readonly mayEditTests?: true;
  readonly verify?: "sensitive";
  readonly allowUntested?: true;
  readonly sandbox?: SandboxMode;
}

/** First wait before an overloaded provider is asked again. */
const RETRY_WAIT_MS = 1_000;
/** `--wait` without a time. */
const LONGEST_WAIT_MS = 24 * 3_600_000;

/** Flags that stand for a setting, in the words of the settings. */
export function settingsIn(flags: RunFlags): NonNullable<ProjectRequest["settings"]> {
  const { maxAttempts, maxCalls, budgetUsd, budgetTokens, stepTimeout, sandbox } = flags;
  return {
    ...(maxAttempts !== undefined && { maxAttempts }),
    ...(maxCalls !== undefined && { maxCalls }),
    ...reviewSetting(flags),
    ...(budgetUsd !== undefined && { budgetUsd }),
    ...(budgetTokens !== undefined && { budgetTokens }),
    ...(stepTimeout !== undefined && { stepTimeoutMs: stepTimeout }),
    ...(sandbox !== undefined && { sandbox }),
  };
}

function reviewSetting({ review, reviewers }: RunFlags): { review?: "on" | "off" } {
  if (review === undefined) return reviewers === undefined ? {} : { review: "on" };
  return { review: review ? "on" : "off" };
}

/**
 * Where the change of an isolated run comes home; undefined: it is made in the user's tree.
 * @throws KitError `usage` for options that exclude each other, or without git
 */
export function landingOf({ git }: Project, flags: RunFlags): LandingPlace | undefined {
  const { isolate, branch, commit, keepFailed, race } = flags;
  const isIsolated = [isolate, branch, commit, race].some((flag) => flag !== undefined);
  if (!isIsolated) return undefined;
  if (branch !== undefined && commit !== undefined) {
    throw new KitError("usage", "--branch and --commit exclude each other.", {
      next: "Give one of them",
    });
  }
  if (keepFailed) {
    throw new KitError("usage", "--keep-failed has no tree to keep it in: the run is isolated.", {
      next: "Leave one of them out; the refused changes are in the record (kit show)",
    });
  }
  if (git === undefined) {
    throw new KitError("usage", "An isolated run needs git.", { next: "Run without --isolate" });
  }
  if (branch !== undefined) return { to: "branch", branch };
  return { to: commit === undefined ? "tree" : "commit" };
}

/** What bounds a run. */
export function limitsOf({ settings }: Project, flags: RunFlags): RunLimits {
  return {
    maxAttempts: settings.maxAttempts.value,
    maxCalls: settings.maxCalls.value,
    callTimeoutMs: settings.callTimeoutMs.value,
    callIdleTimeoutMs: settings.callIdleTimeoutMs.value,
    gateTimeoutMs: settings.gateTimeoutMs.value,
    ...(settings.gateIdleTimeoutMs.value !== undefined && {
      gateIdleTimeoutMs: settings.gateIdleTimeoutMs.value,
    }),
    baselineWaitMs: settings.baselineWaitMs.value,
    retryWaitMs: RETRY_WAIT_MS,
    ...(flags.timeout !== undefined && { timeoutMs: flags.timeout }),
    ...given("stepTimeoutMs", settings.stepTimeoutMs.value),
    ...given("budgetUsd", settings.budgetUsd.value),
    ...given("budgetTokens", settings.budgetTokens.value),
    ...(flags.wait !== undefined && { waitMs: flags.wait === true ? LONGEST_WAIT_MS : flags.wait }),
  };
}

function given<K extends string>(
  key: K,
  value: number | undefined,
): { readonly [k in K]?: number } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [k in K]?: number };
}

/** How a run is played. */
export function optionsOf({ settings }: Project, flags: RunFlags): RunOptions {
  return {
    repairs: settings.repairs.value,
    keepFailed: flags.keepFailed === true,
    mayEditTests: flags.mayEditTests === true,
    verify: flags.verify,
    allowUntested: flags.allowUntested === true,
    wholeFileLines: settings.wholeFileLines.value,
    language: settings.language.value,
    passEnvironment: settings.passEnvironment.value,
  };
}
