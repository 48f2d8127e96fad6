import { loadAgents } from "../agents/index.ts";
import { configLayers, loadSettings, packageRoot } from "../config/index.ts";
import { KitError, type Problem } from "../contracts/index.ts";
import {
  compareOverrides,
  type LiveSettings,
  type OverrideChange,
  piAgentFolder,
  type Proposal,
  proposalBlock,
  proposeOverrides,
  readLiveSettings,
} from "../pi-settings/index.ts";
import { loadRegistry, resolveRoute } from "../routing/index.ts";
import type { Io } from "./io.ts";
import { alignColumns, counted } from "./views/format.ts";
import { printable } from "./views/printable.ts";

/** kit's agents beside what the user's pi is told of them. */
export interface PiProject {
  readonly packageRoot: string;
  /** `adapters.pi.program`. */
  readonly program: string | undefined;
  readonly piFolder: string;
  readonly proposal: Proposal;
  readonly live: LiveSettings;
  readonly changes: readonly OverrideChange[];
  readonly problems: readonly Problem[];
}

/**
 * Shipped and user layers alone: pi's settings hold in every repository, so none may have a say.
 * @throws KitError `configuration` for errors in registry or settings, or in pi's settings file
 */
export async function openPiProject(io: Io): Promise<PiProject> {
  const root = packageRoot(import.meta.url);
  const layers = configLayers({ packageRoot: root, repositoryRoot: io.cwd, env: io.env }).filter(
    ({ layer }) => layer !== "project",
  );
  const [registry, { settings, problems: ofSettings }] = await Promise.all([
    loadRegistry({ layers, modelFlags: [] }),
    loadSettings({ layers }),
  ]);
  const { agents, problems: ofAgents } = await loadAgents({ layers, registry });
  const binding = [...registry.problems, ...ofSettings];
  if (binding.some(isError)) {
    throw new KitError("configuration", "The configuration has errors.", {
      next: "Mend the files named above",
      problems: binding,
    });
  }
  const broken = new Set(ofAgents.filter(isError).map(({ place }) => place.file));
  const proposal = proposeOverrides(
    agents.map((agent) => {
      const { capability, available, file } = agent;
      const isSound = !broken.has(file);
      if (!isSound || !available || capability === undefined) return { agent, isSound };
      return { agent, isSound, route: resolveRoute(registry, capability) };
    }),
  );
  const piFolder = piAgentFolder(io.env);
  const live = await readLiveSettings(piFolder);
  return {
    packageRoot: root,
    program: settings.piProgram.value,
    piFolder,
    proposal,
    live,
    changes: compareOverrides(proposal.overrides, live),
    problems: [...binding, ...ofAgents],
  };
}

function isError({ severity }: Problem): boolean {
  return severity === "error";
}

/** The proposal and its difference, for `--json`. */
export function proposalDocument(project: PiProject): Readonly<Record<string, unknown>> {
  const { proposal, live, changes, problems } = project;
  return {
    file: live.file,
    exists: live.hash !== undefined,
    proposal: proposalBlock(proposal),
    changes,
    leftOut: proposal.leftOut,
    warnings: warnings(project),
    problems,
  };
}

const marks = { add: "+", update: "~", same: "=" } as const;

/** The difference for people, an agent a line, and what it cannot say. */
export function changeLines(project: PiProject): string[] {
  const { proposal, changes, live } = project;
  const rows = changes.map(({ agent, state, model, thinking, before, capability }) => [
    marks[state],
    agent,
    `${model}${thinking === undefined ? "" : ` thinking ${thinking}`}`,
    before === undefined ? capability : `${capability}, now ${beforeText(before)}`,
  ]);
  const left = proposal.leftOut.map(({ agent, reason }) => ["–", agent, `left out: ${reason}`]);
  return [
    live.file,
    ...alignColumns([...rows, ...left], "  "),
    ...warnings(project).map((line) => `! ${line}`),
  ].map(printable);
}

function beforeText({ model, thinking }: NonNullable<OverrideChange["before"]>): string {
  const level = thinking === undefined ? "" : ` thinking ${valueText(thinking)}`;
  return `${model === undefined ? "no model" : valueText(model)}${level}`;
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function warnings({ proposal, live }: PiProject): string[] {
  const more = proposal.overrides.filter(({ fallbacks }) => fallbacks.length > 0);
  const names = more.map(({ agent, fallbacks }) => `${agent}: ${fallbacks.join(", ")}`).join("; ");
  return [
    ...(more.length === 0
      ? []
      : [
          `Fallbacks cannot be said here, only the first model of a route (${names}): inside pi ` +
            "nobody moves on as kit would.",
        ]),
    ...(live.hasComments
      ? ["The file holds comments or trailing commas: pi takes it for broken and reads none of it."]
      : []),
  ];
}

/** `2 to add, 1 to update, 1 the same` */
export function tally(changes: readonly OverrideChange[]): string {
  const of = (state: OverrideChange["state"]): number =>
    changes.filter((change) => change.state === state).length;
  if (of("add") + of("update") === 0) return `nothing to change, ${counted(of("same"), "agent")}`;
  return `${of("add")} to add, ${of("update")} to update, ${of("same")} the same`;
}
