import { type Agent, type Binding, KitError } from "../../contracts/index.ts";
import { findAgent } from "../../agents/index.ts";
import { createAdapters } from "../../adapters/index.ts";
import { timeText } from "../../lib/time-text.ts";
import { StoreError } from "../../lib/store.ts";
import { userStateFolder } from "../../lib/user-folders.ts";
import {
  coolingIn,
  type LedgerReport,
  ledgerFile,
  readLedger,
  resolveRoute,
} from "../../routing/index.ts";
import { bindingStep } from "../binding-step.ts";
import type { Io } from "../io.ts";
import type { Project } from "../project.ts";
import { type Standings, standingsOf } from "../setup/binding-standing.ts";
import { modelText } from "../views/route-document.ts";
import { type Check, checksOf } from "./check.ts";

const models = checksOf("models");
const agents = checksOf("agents");

const noLimits: LedgerReport = { limits: [], pools: [], spend: [] };

/** Who can be called, and whether each agent has somebody. Calls no model. */
export async function checkModels(
  project: Project,
  { env, clock }: Pick<Io, "env" | "clock">,
  signal: AbortSignal,
  isOffline: boolean,
): Promise<readonly Check[]> {
  const { registry, settings } = project;
  const bindings = new Map([...registry.bindings].map(([name, { value }]) => [name, value]));
  const program = settings.piProgram.value;
  const standings: Standings = isOffline
    ? { adapters: new Map(), bindings: new Map(), models: [] }
    : await standingsOf({ bindings, env, program, signal });
  const pi = isOffline || bindings.size > 0 ? [] : [await unboundPi(env, program, signal)];
  const { limits, check } = await readLimits(env, clock().getTime());
  return [
    ...pi,
    ...[...standings.adapters.values()].map(({ name, version, broken }) =>
      broken === undefined
        ? models.ok(name, version ?? name)
        : models.problem(name, broken.said, broken.mend, 5),
    ),
    ...(bindings.size === 0
      ? [models.problem("bindings", "no model is bound", bindingStep(registry, "kit init"), 3)]
      : bindingChecks(bindings, standings, isOffline)),
    check,
    ...agentChecks(project, standings, limits),
  ];
}

/** Nothing is bound: what there is to bind with decides what comes first. */
async function unboundPi(
  env: Io["env"],
  program: string | undefined,
  signal: AbortSignal,
): Promise<Check> {
  const adapter = createAdapters({ env, program }).get("pi");
  try {
    const found = await adapter?.check(signal);
    return models.ok("pi", `pi ${found?.version ?? ""}, bound by no backend`);
  } catch (error) {
    if (!(error instanceof KitError) || signal.aborted) throw error;
    return models.warning("pi", error.message, error.next ?? "pi --version");
  }
}

function bindingChecks(
  bindings: ReadonlyMap<string, Binding>,
  standings: Standings,
  isOffline: boolean,
): Check[] {
  return [...bindings].map(([backend, binding]) => {
    const name = `${backend}: ${modelText(binding)}`;
    const standing = standings.bindings.get(backend);
    if (isOffline || standing === undefined) return models.notChecked(name, "--offline");
    // Whether a run suffers from it says the agents' lines: others may serve in its place.
    return standing.state === "known"
      ? models.ok(name, standing.said)
      : standing.state === "not_checked"
        ? models.notChecked(name, standing.said)
        : models.warning(name, standing.said, standing.mend);
  });
}

async function readLimits(
  env: Io["env"],
  now: number,
): Promise<{ readonly limits: LedgerReport["limits"]; readonly check: Check }> {
  const folder = userStateFolder(env);
  try {
    const { limits } = await readLedger(folder, now);
    const said = limits.length === 0 ? "no limit known" : `${limits.length} known, see kit quota`;
    return { limits, check: models.ok("quota ledger", said) };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const said = `${ledgerFile(folder)} cannot be read: ${error.message}`;
    const mend = error.fault === "corrupt" ? "kit quota clear" : `ls -l ${ledgerFile(folder)}`;
    return { limits: noLimits.limits, check: models.warning("quota ledger", said, mend) };
  }
}

/** Who plays in every run, and who only where a review is asked for. */
function agentChecks(
  project: Project,
  standings: Standings,
  limits: LedgerReport["limits"],
): Check[] {
  const needsReview = project.settings.review.value === "on";
  return [
    agentCheck(project, "scout", true, standings, limits),
    agentCheck(project, "coder", true, standings, limits),
    agentCheck(project, "reviewer", needsReview, standings, limits),
  ];
}

function agentCheck(
  project: Project,
  name: string,
  isNeeded: boolean,
  { bindings }: Standings,
  limits: LedgerReport["limits"],
): Check {
  const fails = (said: string, mend: string, exitCode: 2 | 3 | 5): Check =>
    isNeeded ? agents.problem(name, said, mend, exitCode) : agents.warning(name, said, mend);
  let agent: Agent;
  try {
    agent = findAgent(project.agents, name);
  } catch (error) {
    if (!(error instanceof KitError)) throw error;
    return fails(error.message, error.next ?? "kit agents", 2);
  }
  const { capability } = agent;
  if (capability === undefined) return fails("it names no capability", `Mend ${agent.file}`, 2);
  const { candidates } = resolveRoute(project.registry, capability);
  if (candidates.length === 0) {
    return fails(
      `no model serves ${capability}`,
      `${bindingStep(project.registry, "kit init")}; kit route shows the reasons`,
      3,
    );
  }
  const states = candidates.map((candidate) => {
    const cooling = coolingIn(limits, candidate);
    const standing = bindings.get(candidate.backend);
    if (cooling !== undefined) {
      const said = `${candidate.backend} is spent until ${timeText(cooling.until)}`;
      return {
        candidate,
        said,
        mend: `Wait, or where it is wrong: kit quota clear ${cooling.name}`,
        exit: 3 as const,
      };
    }
    if (standing?.state === "dead" || standing?.state === "broken") {
      const { said, mend, state } = standing;
      return {
        candidate,
        said: `${candidate.backend}: ${said}`,
        mend,
        exit: state === "broken" ? (5 as const) : (3 as const),
      };
    }
    return { candidate, said: candidate.backend };
  });
  const live = states.filter((each) => !("exit" in each));
  const [first] = states;
  if (live.length === 0 && first !== undefined && "exit" in first) {
    const all = states.map(({ said }) => said).join("; ");
    return fails(
      `nobody can be asked for ${capability}: ${all}`,
      first.mend ?? bindingStep(project.registry, "kit init"),
      first.exit ?? 3,
    );
  }
  const names = live.map(({ candidate }) => candidate.backend).join(", ");
  const dead = states.length - live.length;
  return agents.ok(
    name,
    `${capability}: ${names}${dead === 0 ? "" : ` (${dead} of ${states.length} cannot be asked)`}`,
  );
}
