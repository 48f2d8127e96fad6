import { counted, formatDuration } from "../lib/figures.ts";
import { html, type Html } from "./html.ts";
import { table } from "./page.ts";
import type { Stretch } from "./time-line.ts";

/** More rows than this are no picture any more. */
const mostRows = 150;

const endings: Readonly<Record<Stretch["ending"], string>> = {
  good: "✓",
  bad: "✗",
  neutral: "",
  open: "… not finished",
};

/** Bars under one scale, in a table that says the same in figures. */
export function timeLineView(stretches: readonly Stretch[]): Html {
  const whole = Math.max(1, ...stretches.map(({ toMs }) => toMs));
  const rows = stretches
    .slice(0, mostRows)
    .map((stretch) => [
      html`<span class="level-${stretch.level}"
        >${stretch.label}${stretch.detail !== undefined && html` <span class="quiet">${stretch.detail}</span>`}</span
      >`,
      bar(stretch, whole),
      formatDuration(stretch.fromMs),
      html`${formatDuration(stretch.toMs - stretch.fromMs)}
        <span class="${stretch.ending}">${endings[stretch.ending]}</span>`,
    ]);
  const left = stretches.length - rows.length;
  return html`${table(
    "Steps, attempts and calls in the order they began",
    [
      { title: "What" },
      { title: "When", kind: "track" },
      { title: "Start", isFigure: true },
      { title: "Took", isFigure: true },
    ],
    rows,
    "time-line",
  )}${left > 0 && html`<p class="left-out">${counted(left, "more row")} left out.</p>`}`;
}

function bar({ fromMs, toMs, ending, level }: Stretch, whole: number): Html {
  const percent = (ms: number): string => ((100 * ms) / whole).toFixed(2);
  const place = `left:${percent(fromMs)}%;width:${percent(toMs - fromMs)}%`;
  return html`<span class="lane" aria-hidden="true"
    ><span class="bar ${ending} bar-${level}" style="${place}"></span
  ></span>`;
}
