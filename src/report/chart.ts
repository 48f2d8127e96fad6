import { html, type Html } from "./html.ts";

/** One column of a chart, its parts from the bottom up. */
export interface Column {
  readonly parts: readonly { readonly value: number; readonly tone: "good" | "bad" | "plain" }[];
}

/** The first and the last of what a chart runs over. */
type Ends = readonly [first: string, last: string];

const width = 300;
const height = 100;

/**
 * Columns from zero. The picture is stretched to the room there is, so that its words stand outside;
 * the figures are in a table beside it.
 *
 * @param top what the highest column is worth
 */
export function columns(chart: {
  readonly title: string;
  readonly bars: readonly Column[];
  readonly ends: Ends;
  readonly top: string;
}): Html {
  const { title, bars, ends, top } = chart;
  const sums = bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0));
  const most = Math.max(...sums, Number.MIN_VALUE);
  const step = width / Math.max(1, bars.length);
  const gap = Math.min(3, step / 5);
  const drawn = bars.map(({ parts }, index) => {
    let below = 0;
    return parts.map(({ value, tone }) => {
      const size = (height * value) / most;
      below += size;
      if (size === 0) return html``;
      return html`<rect
        class="column ${tone}"
        x="${(index * step + gap / 2).toFixed(1)}"
        y="${(height - below).toFixed(1)}"
        width="${Math.min(step - gap, 40).toFixed(1)}"
        height="${size.toFixed(1)}"
      />`;
    });
  });
  return figure(`${title}; the highest is ${top}`, ends, drawn);
}

/** A share from 0 to 1 over time; a stretch without one is passed over. */
export function line(chart: {
  readonly title: string;
  readonly values: readonly (number | undefined)[];
  readonly ends: Ends;
}): Html {
  const { title, values, ends } = chart;
  const step = width / Math.max(1, values.length);
  const points = values.flatMap((value, index) =>
    value === undefined
      ? []
      : [{ x: ((index + 0.5) * step).toFixed(1), y: (height * (1 - value)).toFixed(1) }],
  );
  const path = points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("");
  const known = values.filter((value) => value !== undefined);
  const last = known.at(-1);
  const said = last === undefined ? "nothing to judge" : `last ${Math.round(100 * last)} %`;
  return figure(`${title}; ${said}`, ends, [
    html`<path class="line" d="${path || "M0 0"}" />`,
    ...points.map(({ x, y }) => html`<path class="dot" d="M${x} ${y}h.01" />`),
  ]);
}

function figure(
  title: string,
  [first, last]: Ends,
  drawn: readonly (Html | readonly Html[])[],
): Html {
  return html`<figure>
    <figcaption>${title}</figcaption>
    <svg
      class="chart"
      viewBox="0 0 ${width} ${height}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${title}"
    >
      <path class="axis" d="M0 ${height}H${width}M0 0H${width}" />
      ${drawn}
    </svg>
    <p class="scale"><span>${first}</span>${last !== first && html`<span>${last}</span>`}</p>
  </figure>`;
}
