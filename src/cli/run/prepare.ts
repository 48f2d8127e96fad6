import { findAgent } from "../../agents/index.ts";
import {
  type Agent,
  type ContextPack,
  KitError,
  type Problem,
  type Route,
  type SandboxMode,
  type TestCommand,
} from "../../contracts/index.ts";
import { commandText } from "../../gate/index.ts";
import type {
  Ladder,
  LandingPlace,
  ReviewRequest,
  RunLimits,
  RunOptions,
} from "../../pipeline/index.ts";
import { type ClassifiedTask, classifyTask, resolveRoute } from "../../routing/index.ts";
import { packOf } from "./given-pack.ts";
import { noTask, taskText } from "./task.ts";
import type { Io } from "../io.ts";
import { printable } from "../views/printable.ts";
import type { WatchFlags } from "./watchers.ts";
import { openProject, type Project } from "../project.ts";
import { ladderOf, pricedOnly } from "./bounds.ts";
import { suggestRoutes, type SuggestedRoutes } from "./suggested.ts";
import { findCommands, type KnownScript } from "../test-commands.ts";

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

/** Everything a run needs to know before anything is called or written. */
export interface PreparedRun {
  readonly project: Project;
  readonly task: string;
  readonly pack: ContextPack | undefined;
  /** The given pack as it was read; absent where there is none. */
  readonly packText?: string;
  readonly agents: { readonly scout: Agent; readonly coder: Agent };
  readonly routes: { readonly scout: Route; readonly coder: Route };
  /** How `routing.order: suggested` came to the order of the routes; absent: as configured. */
  readonly suggested?: SuggestedRoutes["orders"];
  /** The rule that chose the coder's capability; absent: the agent's own, or the flag's. */
  readonly classified?: ClassifiedTask;
  /** Absent: nobody reviews. */
  readonly review: ReviewRequest | undefined;
  /** Where the change of an isolated run comes home; absent: it is made in the user's tree. */
  readonly landing: LandingPlace | undefined;
  /** As in `RunFlags`. */
  readonly claim: string | undefined;
  /** Where the agent names one. */
  readonly ladders: { readonly scout?: Ladder; readonly coder?: Ladder };
  /** Trusted ones run; the others are shown. */
  readonly testCommands: readonly TestCommand[];
  /** What the commands of manifests run, and what is known of that. */
  readonly scripts: readonly KnownScript[];
  /** What a person should know of the commands before they run, one sentence each. */
  readonly commandWarnings: readonly string[];
  readonly limits: RunLimits;
  readonly options: RunOptions;
  readonly problems: readonly Problem[];
}

/** First wait before an overloaded provider is asked again. */
const RETRY_WAIT_MS = 1_000;
/** `--wait` without a time. */
const LONGEST_WAIT_MS = 24 * 3_600_000;

/**
 * Reads task, pack, configuration and manifests. Starts nothing but git, writes nothing.
 * @throws KitError for everything a user has to mend before a run can start; files with errors
 * are among the prepared problems, so that a dry run can show them all.
 */
export async function prepareRun(
  flags: RunFlags,
  positional: string | undefined,
  io: Io,
): Promise<PreparedRun> {
  const given = await taskText(flags, positional, io);
  const { maxAttempts, maxCalls, budgetUsd, budgetTokens, stepTimeout } = flags;
  const project = await openProject(
    {
      ...(flags.repo !== undefined && { repo: flags.repo }),
      ...(flags.model !== undefined && { model: flags.model }),
      settings: {
        ...(maxAttempts !== undefined && { maxAttempts }),
        ...(maxCalls !== undefined && { maxCalls }),
        ...reviewSetting(flags),
        ...(budgetUsd !== undefined && { budgetUsd }),
        ...(budgetTokens !== undefined && { budgetTokens }),
        ...(stepTimeout !== undefined && { stepTimeoutMs: stepTimeout }),
        ...(flags.sandbox !== undefined && { sandbox: flags.sandbox }),
      },
    },
    io,
  );
  const givenPack =
    flags.pack === undefined ? undefined : await packOf(flags.pack, given, project, io);
  const pack = givenPack?.pack;
  const task = given ?? pack?.task;
  if (task === undefined) throw noTask();
  const found = await findCommands(
    project,
    {
      flags: flags.test ?? [],
      ...(pack?.testCommands !== undefined && {
        pack: { file: flags.pack ?? "", commands: pack.testCommands },
      }),
    },
    io,
  );
  const scout = findAgent(project.agents, "scout");
  const coder = findAgent(project.agents, flags.agent ?? "coder");
  const classified =
    flags.capability === undefined
      ? classifyTask(project.taskRules.rules, {
          task,
          packFiles: pack?.relevantFiles.map(({ path }) => path) ?? [],
        })
      : undefined;
  const inBudget = (route: Route): Route =>
    project.settings.budgetUsd.value === undefined ? route : pricedOnly(route);
  const routes = {
    scout: inBudget(routeOf(project, scout)),
    coder: inBudget(routeOf(project, coder, flags.capability ?? classified?.capability)),
  };
  const suggested =
    project.settings.routingOrder.value === "suggested"
      ? await suggestRoutes(project, routes)
      : undefined;
  const inOrder = suggested?.routes ?? routes;
  const { candidate } = flags;
  const asked =
    candidate === undefined ? inOrder : { ...inOrder, coder: only(candidate, inOrder.coder) };
  return {
    project,
    task,
    pack,
    ...(givenPack && { packText: givenPack.text }),
    agents: { scout, coder },
    routes: asked,
    ...(suggested && { suggested: suggested.orders }),
    ladders: {
      ...ladderOf(project, "scout", scout, asked.scout, inBudget),
      ...(candidate === undefined && ladderOf(project, "coder", coder, asked.coder, inBudget)),
    },
    ...(classified && { classified }),
    review: reviewOf(project, flags, inBudget),
    landing: landingOf(project, flags),
    claim: flags.claim,
    testCommands: found.testCommands,
    scripts: found.scripts,
    commandWarnings: found.warnings,
    limits: limitsOf(project, flags),
    options: optionsOf(project, flags),
    problems: project.problems,
  };
}

/** @throws KitError `usage` when no command would judge the change and nobody allowed that. */
export function requireTests(prepared: PreparedRun): void {
  if (prepared.options.allowUntested) return;
  refuseUntested(
    prepared.testCommands,
    'Name one: --test "npm test"; or apply without any: --allow-untested',
  );
}

/**
 * @param next what to do where no command is known at all
 * @throws KitError `usage` where no command runs; one that is only shown is named
 */
export function refuseUntested(commands: readonly TestCommand[], next: string): void {
  if (commands.some(({ trusted }) => trusted)) return;
  const [shown] = commands;
  if (shown !== undefined) {
    const text = printable(commandText(shown));
    throw new KitError("usage", `Nobody said yes to the test command yet: ${text}.`, {
      next: `Name it, if you want it to run: --test; or trust it: kit trust`,
    });
  }
  throw new KitError("usage", "No test command is known, so nothing could judge a change.", {
    next,
  });
}

function routeOf(project: Project, agent: Agent, override?: string): Route {
  const capability = override ?? agent.capability;
  if (capability === undefined) {
    throw new KitError("configuration", `Agent "${agent.name}" names no capability.`, {
      next: "Give one: --capability strong-code",
      problems: [
        {
          severity: "error",
          place: { file: agent.file, line: 1 },
          key: "capability",
          message: "is missing",
        },
      ],
    });
  }
  return resolveRoute(project.registry, capability);
}

/** @throws KitError `usage` where the backend is not a candidate of the route */
function only(backend: string, route: Route): Route {
  const candidates = route.candidates.filter((candidate) => candidate.backend === backend);
  if (candidates.length === 0) {
    throw new KitError("usage", `"${backend}" does not serve "${route.capability}" here.`, {
      next: `See who does, and why others do not: kit route ${route.capability}`,
    });
  }
  const others = route.candidates.filter((candidate) => candidate.backend !== backend);
  const reason = `only ${backend} is asked: --candidate`;
  const skipped = others.map((other) => ({ backend: other.backend, reason }));
  return { ...route, candidates, skipped: [...route.skipped, ...skipped] };
}

/** What the flags say of a review, in the words of the setting. */
function reviewSetting({ review, reviewers }: RunFlags): { review?: "on" | "off" } {
  if (review === undefined) return reviewers === undefined ? {} : { review: "on" };
  return { review: review ? "on" : "off" };
}

function reviewOf(
  project: Project,
  flags: RunFlags,
  inBudget: (route: Route) => Route,
): ReviewRequest | undefined {
  if (project.settings.review.value === "off") return undefined;
  const agent = findAgent(project.agents, "reviewer");
  return { agent, route: inBudget(routeOf(project, agent)), reviewers: flags.reviewers ?? 1 };
}

/** @throws KitError `usage` for options that exclude each other, or without git. */
function landingOf({ git }: Project, flags: RunFlags): LandingPlace | undefined {
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

/** The routes of all models that a run may ask. */
export function routesAsked({ routes, review, pack }: PreparedRun): readonly Route[] {
  return [
    ...(pack === undefined ? [routes.scout] : []),
    routes.coder,
    ...(review === undefined ? [] : [review.route]),
  ];
}

function limitsOf({ settings }: Project, flags: RunFlags): RunLimits {
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

function optionsOf({ settings }: Project, flags: RunFlags): RunOptions {
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
