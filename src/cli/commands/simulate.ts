import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { KitError, type LayerFolder, type Registry } from "../../contracts/index.ts";
import { codeOf } from "../../lib/files.ts";
import {
  loadRegistry,
  type RecordedAttempt,
  resolveRoute,
  type SimulatedOrder,
  type Simulation,
  simulateRoute,
} from "../../routing/index.ts";
import { defineCommand } from "../command.ts";
import { receiptsIn, recordedRuns } from "../learning.ts";
import { addModelOption, addRepoOption } from "../options.ts";
import { hasErrors, openProject, type Project, type ProjectRequest } from "../project.ts";
import { alignColumns, counted, formatCost } from "../views/format.ts";
import { percent, unreadableLines } from "../views/learning.ts";
import { problemLines } from "../views/problem-text.ts";

interface SimulateOptions extends Pick<ProjectRequest, "repo" | "model"> {
  readonly receipts?: string;
  readonly registry?: string;
}

export const command = defineCommand<SimulateOptions>({
  define(command) {
    addModelOption(addRepoOption(command))
      .option("--receipts <folder>", "receipts to replay (default: the runs of this repository)")
      .option("--registry <file>", "a routing file that lies over yours (default: yours alone)");
  },
  examples: [
    ["kit simulate", "what the recorded runs would have cost in each order of your models"],
    ["kit simulate --registry cheap-first.yaml", "the same under another registry"],
  ],
  async run(options, { io }) {
    const project = await openProject(options, io);
    const folder = options.receipts === undefined ? undefined : resolve(io.cwd, options.receipts);
    const recorded =
      folder === undefined ? await recordedRuns(project.runsFolder) : await readFolder(folder);
    const file = options.registry === undefined ? undefined : resolve(io.cwd, options.registry);
    const registry =
      file === undefined ? project.registry : await registryWith(file, project, options);
    const simulations = simulate(registry, recorded.attempts, project.settings.maxAttempts.value);
    const lines =
      simulations.length === 0
        ? ["No recorded run asks for a capability of this registry."]
        : simulations.flatMap(simulationLines);
    const { problems } = registry;
    return {
      exitCode: hasErrors(problems) ? 2 : 0,
      document: {
        runs: recorded.runs,
        simulations,
        unreadable: recorded.unreadable,
        problems,
      },
      text: `${[...lines, ...unreadableLines(recorded.unreadable), ...problemLines(problems)].join("\n").trimEnd()}\n`,
    };
  },
});

async function readFolder(folder: string): ReturnType<typeof receiptsIn> {
  try {
    return await receiptsIn(folder);
  } catch (error) {
    throw new KitError("usage", `The folder ${folder} cannot be read (${codeOf(error) ?? "?"}).`, {
      cause: error,
      next: "Give a folder of receipts: --receipts FOLDER",
    });
  }
}

/** The user's registry with one more routing file on top. */
async function registryWith(
  file: string,
  { layers }: Project,
  { model }: SimulateOptions,
): Promise<Registry> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new KitError("usage", `The registry ${file} cannot be read (${codeOf(error) ?? "?"}).`, {
      cause: error,
      next: "Give a routing file: --registry FILE",
    });
  });
  const name = basename(file).endsWith(".json") ? "routing.json" : "routing.yaml";
  const layer: LayerFolder = {
    layer: "user",
    folder: dirname(file),
    files: new Map([[name, { kind: "bytes", bytes }]]),
  };
  return loadRegistry({ layers: [...layers, layer], modelFlags: model ?? [] });
}

/** Every step and capability that the receipts know and the registry serves. */
function simulate(
  registry: Registry,
  attempts: readonly RecordedAttempt[],
  maxAttempts: number,
): readonly Simulation[] {
  const asked = new Map(
    attempts.map(({ step, capability }) => [`${step} ${capability}`, { step, capability }]),
  );
  return [...asked.values()]
    .filter(({ capability }) => registry.capabilities.has(capability))
    .map(({ step, capability }) =>
      simulateRoute(resolveRoute(registry, capability), attempts, step, maxAttempts),
    )
    .filter(({ runs }) => runs > 0);
}

function simulationLines({
  step,
  capability,
  runs,
  configured,
  cheapest,
  calibration,
}: Simulation): string[] {
  return [
    `${capability} (${step}), ${counted(runs, "run")}`,
    ...alignColumns(
      [
        ["as configured", ...orderCells(configured, runs)],
        ...(cheapest ? [["cheapest", ...orderCells(cheapest, runs)]] : []),
      ],
      "  ",
    ),
    ...(cheapest ? [] : ["  no cheapest order: the cost of a model is unknown"]),
    `  calibration error ${percent(calibration.error)} % over ${counted(calibration.attempts, "attempt")}, Brier ${calibration.brier.toFixed(3)}`,
    "",
  ];
}

function orderCells(
  { backends, solves, costUsd, rerunUsd }: SimulatedOrder,
  runs: number,
): string[] {
  const reruns = rerunUsd === undefined ? "" : `(reruns ${formatCost(rerunUsd, 0)})`;
  return [
    backends.join(", ") || "nobody",
    `${percent(solves / runs)} % green`,
    costUsd === undefined ? "cost unknown" : formatCost(costUsd, 0),
    reruns,
  ];
}
