import { counted, formatCost, formatCount, formatDuration } from "../lib/figures.ts";
import { headAndTail } from "../lib/text.ts";
import { columns, line, type Column as Bar } from "./chart.ts";
import { html, type Html } from "./html.ts";
import { badge, facts, folded, page, table } from "./page.ts";

/** One run of a repository, as the overview lists it. */
export interface RunInOverview {
  readonly runId: string;
  /** ISO time. */
  readonly startedAt: string | null;
  readonly outcome: string;
  readonly task: string;
  readonly attempts: number;
  readonly durationMs: number;
  readonly costUsd?: number;
  readonly costUnknown: number;
}

/** What one model did for one capability: in all, or in one stretch of time. */
export interface ModelFigures {
  readonly attempts: number;
  /** Attempts that say something of the model. */
  readonly judged: number;
  readonly green: number;
  /** Of judged, with its 95 % interval. */
  readonly share?: { readonly rate: number; readonly low: number; readonly high: number };
  readonly costUsd?: number;
  readonly costUnknown: number;
  readonly costPerGreenUsd?: number;
}

/** One model under one capability, over time. */
export interface ModelOverTime {
  readonly capability: string;
  readonly model: string;
  readonly whole: ModelFigures;
  /** One a stretch of time, in the order of `Overview.stretches`; undefined: it was not asked. */
  readonly over: readonly (ModelFigures | undefined)[];
}

export interface Overview {
  readonly kitVersion: string;
  /** Absolute. */
  readonly root: string;
  /** Newest first. */
  readonly runs: readonly RunInOverview[];
  /** Names of the stretches of time, oldest first: `2026-11-30`, or the Monday of a week. */
  readonly stretches: readonly string[];
  /** Index of the stretch a run belongs to. */
  readonly stretchOf: (run: RunInOverview) => number;
  readonly unit: "day" | "week";
  readonly models: readonly ModelOverTime[];
  /** Runs whose records could not be read. */
  readonly unreadable: number;
}

const listedRuns = 50;

/** All runs of a repository on one page: what was green, and what it cost, over time and by model. */
export function renderOverview(overview: Overview): string {
  const { runs, unreadable, root, kitVersion } = overview;
  const green = runs.filter(isGreen).length;
  const title =
    runs.length === 0 ? "No runs yet" : `${green} of ${counted(runs.length, "run")} green`;
  return page({
    title: `${title} · kit report`,
    kitVersion,
    header: html`<p class="brand">kit <span class="quiet">all runs</span></p>
      <h1>${title}</h1>
      ${facts([
        ["Green", runs.length === 0 ? undefined : `${Math.round((100 * green) / runs.length)} %`],
        ["Cost", costOf(runs)],
        ["Attempts", formatCount(runs.reduce((sum, { attempts }) => sum + attempts, 0))],
        ["Not readable", unreadable === 0 ? undefined : counted(unreadable, "run")],
      ])}`,
    sections: [
      { id: "runs-over-time", title: "Runs over time", body: runsOverTime(overview) },
      { id: "models", title: "Models", body: modelsView(overview) },
      { id: "runs", title: "Latest runs", body: runsView(runs) },
    ],
    footer: html`${facts([
      ["Repository", html`<span class="name">${root}</span>`],
      ["Written by", `kit ${kitVersion}`],
    ])}`,
  });
}

function isGreen({ outcome }: RunInOverview): boolean {
  return outcome === "success";
}

function costOf(runs: readonly Pick<RunInOverview, "costUsd" | "costUnknown">[]): string {
  const { costUsd, costUnknown } = sumOf(runs);
  return formatCost(costUsd, costUnknown);
}

function sumOf(runs: readonly Pick<RunInOverview, "costUsd" | "costUnknown">[]) {
  const known = runs.flatMap(({ costUsd }) => (costUsd === undefined ? [] : [costUsd]));
  const costUsd = known.length === 0 ? undefined : known.reduce((sum, cost) => sum + cost, 0);
  return { costUsd, costUnknown: runs.reduce((sum, run) => sum + run.costUnknown, 0) };
}

function runsOverTime({ runs, stretches, stretchOf, unit }: Overview): Html {
  if (runs.length === 0) return html`<p>Start one: <code>kit run --task "…"</code></p>`;
  const groups = stretches.map((_, index) => runs.filter((run) => stretchOf(run) === index));
  const counts = groups.map((group): Bar => {
    const green = group.filter(isGreen).length;
    return {
      parts: [
        { value: green, tone: "good" },
        { value: group.length - green, tone: "bad" },
      ],
    };
  });
  const costs = groups.map((group): Bar => ({
    parts: [{ value: sumOf(group).costUsd ?? 0, tone: "plain" }],
  }));
  const most = (bars: readonly Bar[]): number =>
    Math.max(0, ...bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)));
  const ends = [stretches[0] ?? "", stretches.at(-1) ?? ""] as const;
  return html`<div class="charts">
      ${columns({ title: `Runs a ${unit}, green below and others above`, bars: counts, ends, top: formatCount(most(counts)) })}
      ${columns({ title: `Cost a ${unit}`, bars: costs, ends, top: formatCost(most(costs), 0) })}
    </div>
    ${folded(
      "The same in figures",
      table(
        `Runs and cost of each ${unit}`,
        [
          { title: unit === "day" ? "Day" : "Week of" },
          ...["Runs", "Green", "Cost"].map((title) => ({ title, isFigure: true })),
        ],
        stretches
          .flatMap((name, index) => {
            const group = groups[index] ?? [];
            return group.length === 0
              ? []
              : [
                  [
                    name,
                    formatCount(group.length),
                    formatCount(group.filter(isGreen).length),
                    costOf(group),
                  ],
                ];
          })
          .toReversed()
          .slice(0, 30),
      ),
    )}`;
}

function modelsView({ models, stretches, unit }: Overview): Html {
  if (models.length === 0) return html`<p>No model was asked yet.</p>`;
  const capabilities = [...new Set(models.map(({ capability }) => capability))];
  return html`${capabilities.map((capability) => {
    const own = models.filter((model) => model.capability === capability);
    return html`<h3>${capability}</h3>
      ${table(
        `What each model did for ${capability}`,
        [
          { title: "Model" },
          { title: "Green", isFigure: true },
          { title: "Cost a green", isFigure: true },
        ],
        own.map(({ model, whole }) => [
          html`<span class="name">${model}</span>`,
          whole.judged === 0 ? "none judged" : `${whole.green} of ${whole.judged}`,
          whole.costPerGreenUsd === undefined ? "unknown" : formatCost(whole.costPerGreenUsd, 0),
          shareView(whole.share),
        ]),
      )}
      <div class="charts">
        ${own.slice(0, 8).map((model) => overTime(model, stretches, unit))}
      </div>`;
  })}`;
}

function shareView(share: ModelFigures["share"]): Html {
  if (share === undefined) return html`<span class="quiet">–</span>`;
  const percent = (value: number): string => (100 * value).toFixed(1);
  const { rate, low, high } = share;
  const words = `${Math.round(100 * rate)} %, ${Math.round(100 * low)} to ${Math.round(100 * high)} % (95 % interval)`;
  return html`<span class="share" aria-hidden="true"
      ><i style="left:${percent(low)}%;width:${percent(high - low)}%"></i
      ><b style="left:${percent(rate)}%"></b></span
    ><span class="quiet small">${words}</span>`;
}

function overTime(
  { model, over }: ModelOverTime,
  stretches: readonly string[],
  unit: string,
): Html {
  const rates = over.map((figures) => figures?.share?.rate);
  const costs = over.map((figures): Bar => ({
    parts: [{ value: figures?.costUsd ?? 0, tone: "plain" }],
  }));
  const most = Math.max(0, ...over.map((figures) => figures?.costUsd ?? 0));
  const ends = [stretches[0] ?? "", stretches.at(-1) ?? ""] as const;
  return html`${line({ title: `${model}: green rate a ${unit}`, values: rates, ends })}
  ${columns({ title: `${model}: cost a ${unit}`, bars: costs, ends, top: formatCost(most, 0) })}`;
}

function runsView(runs: readonly RunInOverview[]): Html {
  if (runs.length === 0) return html`<p>None.</p>`;
  const left = runs.length - listedRuns;
  return html`${table(
    "The latest runs, newest first",
    [
      { title: "Task" },
      { title: "Outcome", kind: "status" },
      { title: "Took", isFigure: true, kind: "wide" },
      { title: "Cost", isFigure: true },
    ],
    runs
      .slice(0, listedRuns)
      .map((run) => [
        html`<span dir="auto">${headAndTail(run.task.trim().split("\n", 1).join(""), 160)}</span
          ><br /><span class="quiet name">${run.runId}</span>`,
        badge(
          isGreen(run) ? "good" : run.outcome === "untested" ? "warning" : "bad",
          run.outcome.replaceAll("_", " "),
        ),
        formatDuration(run.durationMs),
        formatCost(run.costUsd, run.costUnknown),
      ]),
    "stacked",
  )}${left > 0 && html`<p class="left-out">${counted(left, "older run")} not listed.</p>`}`;
}
