import { styleText } from "node:util";
import type { ChangePlan, ChangeSummary, RepoPath } from "../../contracts/index.ts";
import { decodeUtf8 } from "../../lib/text.ts";
import { diffLines, type DiffStep } from "./lines.ts";
import { sidesOf, type FileSides } from "./sides.ts";

/** A plan as people read it: a unified diff that `git apply` takes, and a summary per file. */
export interface PlanDiff {
  readonly text: string;
  readonly changes: readonly ChangeSummary[];
}

const contextLines = 3;

/**
 * The unified diff of a plan. `before` holds the old contents by path (`PlanResult.before`);
 * `colour` adds terminal colours. Files that are no text are named, not shown.
 */
export function diffOfPlan(
  plan: ChangePlan,
  before: ReadonlyMap<RepoPath, Uint8Array>,
  options: { readonly colour?: boolean } = {},
): PlanDiff {
  const files = sidesOf(plan, before).map((sides) => diffOfFile(sides));
  const lines = files.flatMap((file) => file.lines);
  const shown = options.colour === true ? lines.map(paint) : lines;
  return {
    text: shown.map((line) => `${line}\n`).join(""),
    changes: files.map((file) => file.summary),
  };
}

interface FileDiff {
  readonly lines: readonly string[];
  readonly summary: ChangeSummary;
}

function diffOfFile(sides: FileSides): FileDiff {
  const { operation, from, to } = sides;
  const path = from?.path ?? operation.path;
  const moved = from !== undefined && to !== undefined && from.path !== to.path;
  const head = headOf(sides);
  const strategy = "strategy" in operation ? operation.strategy : undefined;
  const summary = {
    kind: moved ? ("rename" as const) : operation.kind,
    path,
    ...(moved ? { to: to.path } : {}),
    ...(strategy === undefined ? {} : { strategy }),
  };
  const [old, now] = [textOf(from?.bytes), textOf(to?.bytes)];
  const names = [sideName("a", from?.path), sideName("b", to?.path)] as const;
  if (old === undefined || now === undefined) {
    const lines = [...head, `Binary files ${names[0]} and ${names[1]} differ`];
    return { lines, summary: { ...summary, added: 0, removed: 0 } };
  }
  const steps = diffLines(old, now);
  const count = (kind: DiffStep["kind"]): number =>
    steps.reduce((sum, step) => sum + (step.kind === kind ? step.count : 0), 0);
  const [added, removed] = [count("add"), count("remove")];
  const hunks = added + removed === 0 ? [] : hunksOf(old, now, steps);
  const files = hunks.length === 0 ? [] : [`--- ${names[0]}`, `+++ ${names[1]}`];
  return { lines: [...head, ...files, ...hunks], summary: { ...summary, added, removed } };
}

function headOf({ operation, from, to }: FileSides): readonly string[] {
  const [a, b] = [from?.path ?? operation.path, to?.path ?? operation.path];
  const lines = [`diff --git a/${a} b/${b}`];
  if (from === undefined && operation.kind === "create") {
    lines.push(`new file mode 100${operation.mode.toString(8).padStart(3, "0")}`);
  }
  if (to === undefined && operation.kind === "delete") {
    lines.push(
      `deleted file mode 100${(operation.before.mode & 0o777).toString(8).padStart(3, "0")}`,
    );
  }
  if (from !== undefined && to !== undefined && a !== b) {
    lines.push(`rename from ${a}`, `rename to ${b}`);
  }
  return lines;
}

/** As git writes it: a tab ends a name that holds a blank. */
function sideName(side: "a" | "b", path: RepoPath | undefined): string {
  if (path === undefined) return "/dev/null";
  return path.includes(" ") ? `${side}/${path}\t` : `${side}/${path}`;
}

/** Lines with their LF taken off, a last one without LF marked; undefined for what is no text. */
function textOf(bytes: Uint8Array | undefined): readonly string[] | undefined {
  if (bytes === undefined || bytes.length === 0) return [];
  if (bytes.includes(0)) return undefined;
  const text = decodeUtf8(bytes);
  if (text === undefined) return undefined;
  const lines = text.split("\n");
  const last = lines.pop();
  if (last !== "" && last !== undefined) lines.push(`${last}\n\\ No newline at end of file`);
  return lines;
}

/** One line of a hunk to be, with its place on both sides, from 0. */
interface Row {
  readonly sign: " " | "-" | "+";
  readonly text: string;
  readonly old: number;
  readonly now: number;
}

function hunksOf(
  old: readonly string[],
  now: readonly string[],
  steps: readonly DiffStep[],
): readonly string[] {
  const lines: string[] = [];
  let group: Row[] = [];
  const flush = (): void => {
    if (group.some((row) => row.sign !== " ")) lines.push(...hunkLines(group));
    group = [];
  };
  let [from, to] = [0, 0];
  steps.forEach((step, index) => {
    if (step.kind !== "keep") {
      for (let n = 0; n < step.count; n += 1) {
        const isRemoval = step.kind === "remove";
        const text = (isRemoval ? old[from] : now[to]) ?? "";
        group.push({ sign: isRemoval ? "-" : "+", text, old: from, now: to });
        if (isRemoval) from += 1;
        else to += 1;
      }
      return;
    }
    const keep = (start: number, count: number): void => {
      for (let n = start; n < start + count; n += 1) {
        group.push({ sign: " ", text: old[from + n] ?? "", old: from + n, now: to + n });
      }
    };
    const isFirst = index === 0;
    const isLast = index === steps.length - 1;
    const lead = isFirst ? 0 : Math.min(contextLines, step.count);
    const tail = isLast ? 0 : Math.min(contextLines, step.count);
    if (lead + tail >= step.count && !isFirst && !isLast) keep(0, step.count);
    else {
      keep(0, lead);
      if (!isFirst) flush();
      keep(step.count - tail, tail);
    }
    from += step.count;
    to += step.count;
  });
  flush();
  return lines;
}

function hunkLines(rows: readonly Row[]): readonly string[] {
  const [first] = rows;
  const olds = rows.filter((row) => row.sign !== "+").length;
  const nows = rows.filter((row) => row.sign !== "-").length;
  const range = (start: number, count: number): string =>
    `${count === 0 ? start : start + 1},${count}`;
  const header = `@@ -${range(first?.old ?? 0, olds)} +${range(first?.now ?? 0, nows)} @@`;
  return [header, ...rows.flatMap((row) => `${row.sign}${row.text}`.split("\n"))];
}

function paint(line: string): string {
  if (/^(?:---|\+\+\+|diff |rename |new file|deleted file|Binary )/.test(line)) {
    return styleText("bold", line, { validateStream: false });
  }
  if (line.startsWith("@@")) return styleText("cyan", line, { validateStream: false });
  if (line.startsWith("+")) return styleText("green", line, { validateStream: false });
  return line.startsWith("-") ? styleText("red", line, { validateStream: false }) : line;
}
