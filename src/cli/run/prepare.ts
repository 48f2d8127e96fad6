import { findAgent } from "../../agents/index.ts";
import {
  type Agent,
  type ContextPack,
  KitError,
  type Problem,
  type Route,
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
import { landingOf, limitsOf, optionsOf, type RunFlags, settingsIn } from "./flags.ts";
import { packOf } from "./given-pack.ts";
import { noTask, taskText } from "./task.ts";
import type { Io } from "../io.ts";
import { printable } from "../views/printable.ts";
import { openProject, type Project } from "../project.ts";
import { ladderOf, pricedOnly } from "./bounds.ts";
import { suggestRoutes, type SuggestedRoutes } from "./suggested.ts";
import { findCommands, type KnownScript } from "../test-commands.ts";

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
  const project = await openProject(
    {
      ...(flags.repo !== undefined && { repo: flags.repo }),
      ...(flags.model !== undefined && { model: flags.model }),
      settings: settingsIn(flags),
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

/** What leads on where no command would judge a change: none is known, or one is only shown. */
interface UntestedSteps {
  readonly none: string;
  readonly shown: string;
}

const untestedSteps: Readonly<Record<"run" | "resume" | "test", UntestedSteps>> = {
  run: {
    none: 'Name one: --test "npm test"; or apply without any: --allow-untested',
    shown: "Name it, if you want it to run: --test; or trust it: kit trust",
  },
  // It goes on with the options it was started with.
  resume: {
    none: 'Start it again with one: kit run --test "npm test"',
    shown: "Trust it: kit trust; or start it again with it: kit run --test",
  },
  test: {
    none: 'Name one: kit test --test "npm test"',
    shown: "Name it, if you want it to run: --test; or trust it: kit trust",
  },
};

/** @throws KitError `usage` when no command would judge the change and nobody allowed that. */
export function requireTests(prepared: PreparedRun, by: "run" | "resume"): void {
  if (prepared.options.allowUntested) return;
  refuseUntested(prepared.testCommands, by);
}

/**
 * @param by the command that is asked for: not each has the same options
 * @throws KitError `usage` where no command runs; one that is only shown is named
 */
export function refuseUntested(
  commands: readonly TestCommand[],
  by: keyof typeof untestedSteps,
): void {
  const { none, shown: next } = untestedSteps[by];
  if (commands.some(({ trusted }) => trusted)) return;
  const [shown] = commands;
  if (shown !== undefined) {
    const text = printable(commandText(shown));
    throw new KitError("usage", `Nobody said yes to the test command yet: ${text}.`, {
      next,
    });
  }
  throw new KitError("usage", "No test command is known, so nothing could judge a change.", {
    next: none,
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

function reviewOf(
  project: Project,
  flags: RunFlags,
  inBudget: (route: Route) => Route,
): ReviewRequest | undefined {
  if (project.settings.review.value === "off") return undefined;
  const agent = findAgent(project.agents, "reviewer");
  return { agent, route: inBudget(routeOf(project, agent)), reviewers: flags.reviewers ?? 1 };
}

/** The routes of all models that a run may ask. */
export function routesAsked({ routes, review, pack }: PreparedRun): readonly Route[] {
  return [
    ...(pack === undefined ? [routes.scout] : []),
    routes.coder,
    ...(review === undefined ? [] : [review.route]),
  ];
}
