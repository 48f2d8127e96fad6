import { styleText } from "node:util";
import type { Usage } from "../../contracts/index.ts";

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

/** `0.3 s`, `12 s`, `2 min 5 s` */
export function formatDuration(ms: number): string {
  const tenths = Math.round(ms / 100) / 10;
  if (tenths < 10) return `${tenths.toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? "" : ` ${rest} s`}`;
}

/** `12,345`; `toLocaleString` would load 10 ms of language data for it. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 file`, `3 files` */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
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

/**
 * `$0.0123`; `at least $0.0123 (2 calls of unknown cost)`; `cost unknown`. Unknown is never shown
 * as zero.
 */
export function formatCost(costUsd: number | undefined, unknownCalls: number): string {
  if (costUsd === undefined) return unknownCalls === 0 ? "$0" : "cost unknown";
  const known = `$${significant(costUsd)}`;
  if (unknownCalls === 0) return known;
  return `at least ${known} (${counted(unknownCalls, "call")} of unknown cost)`;
}

/** Cents for dollars, four digits below them, two significant ones below those. */
function significant(usd: number): string {
  if (usd === 0) return "0";
  if (usd >= 1) return usd.toFixed(2);
  if (usd >= 0.0001) return usd.toFixed(4);
  return Number(usd.toPrecision(2)).toFixed(8).replace(/0+$/, "");
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
