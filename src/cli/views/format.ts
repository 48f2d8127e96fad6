import { styleText } from "node:util";
import type { Usage } from "../../contracts/index.ts";
import { formatCount } from "../../lib/figures.ts";

export { counted, formatCost, formatCount, formatDuration } from "../../lib/figures.ts";

/** How a piece of text is meant; the terminal decides how that looks. */
export type Tone = "good" | "bad" | "quiet" | "strong" | "warning";

export type Paint = (tone: Tone, text: string) => string;

const styles = {
  good: "green",
  bad: "red",
  quiet: "gray",
  strong: "bold",
  warning: "yellow",
} as const;

/** Colours where they are wanted, plain text elsewhere. */
export function createPaint(colour: boolean): Paint {
  if (!colour) return (_tone, text) => text;
  return (tone, text) => styleText(styles[tone], text, { validateStream: false });
}

/** `1,200 → 300 tokens`; a side nobody counted is `?`. */
export function formatUsage(usage: Usage | undefined): string | undefined {
  if (!usage) return undefined;
  if (usage.input === undefined && usage.output === undefined) {
    return usage.total === undefined ? undefined : `${formatCount(usage.total)} tokens`;
  }
  const side = (tokens: number | undefined): string =>
    tokens === undefined ? "?" : formatCount(tokens);
  return `${side(usage.input)} → ${side(usage.output)} tokens`;
}

/** Rows in columns that line up, without blanks at the ends of lines. */
export function alignColumns(rows: readonly (readonly string[])[], indent = ""): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, cell.length);
    }
  }
  return rows.map((row) => {
    const cells = row.map((cell, index) => cell.padEnd(widths[index] ?? 0));
    return `${indent}${cells.join("  ")}`.trimEnd();
  });
}
