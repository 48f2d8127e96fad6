import type { Look, Span } from "./screen.ts";

const characterWidth = 8.4;
const lineHeight = 19;
const margin = 16;
const head = 38;

// A window with its own paper, so that the page behind it does not matter; each at least 4.5 to 1
// on that paper (WCAG AA).
const paper = "#fbfaf7";
const ink = "#24292f";
const inks: Readonly<Record<string, string>> = {
  black: ink,
  red: "#b42318",
  green: "#1a6e34",
  yellow: "#8a5a00",
  blue: "#0a53be",
  magenta: "#7a2fa0",
  cyan: "#0b6b75",
  white: ink,
  gray: "#656a70",
};

/**
 * A terminal's lines as an SVG that needs no font and no style from outside.
 *
 * @param command what was typed, shown behind a prompt on the first line
 */
export function svgOf(command: string, lines: readonly (readonly Span[])[]): string {
  const all = [[{ text: `$ ${command}`, look: { bold: true } }], ...lines];
  const columns = Math.max(...all.map((spans) => widthOf(spans)));
  const width = Math.ceil(columns * characterWidth + 2 * margin);
  const height = head + all.length * lineHeight + margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(`${command} on a terminal`)}">`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="${paper}" stroke="#c9c6bf"/>`,
    ...["#e0685c", "#dfab3e", "#67ab63"].map(
      (fill, index) => `<circle cx="${margin + 5 + index * 18}" cy="17" r="5" fill="${fill}"/>`,
    ),
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${ink}" xml:space="preserve">`,
    ...all.flatMap((spans, index) => lineOf(spans, head + (index + 0.75) * lineHeight)),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** Each span has its own place and length: fonts differ in width, columns must not. */
function lineOf(spans: readonly Span[], y: number): string[] {
  let column = 0;
  return spans.flatMap(({ text, look }) => {
    const start = column;
    column += widthOf([{ text, look }]);
    if (text.trim() === "") return [];
    const x = (margin + start * characterWidth).toFixed(1);
    const length = ((column - start) * characterWidth).toFixed(1);
    return `<text x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${attributes(look)}>${escaped(text)}</text>`;
  });
}

function attributes({ colour, bold }: Look): string {
  const fill = colour === undefined ? "" : ` fill="${inks[colour] ?? ink}"`;
  return `${fill}${bold === true ? ' font-weight="bold"' : ""}`;
}

function widthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { text }) => sum + text.length, 0);
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);
}
