import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Measured, surveyProgram } from "../bench-survey/measured.ts";
import { writeTree } from "../bench-survey/synthetic-tree.ts";
import type { BenchRow } from "./row.ts";

/** The promise is for 200,000 files (`KIT_BENCH_FILES=200000`); making those takes minutes. */
const promisedFiles = 200_000;
const usualFiles = 10_000;

/** First and next survey of a large repository, each in a process of its own, and their memory. */
export async function benchSurvey(): Promise<readonly BenchRow[]> {
  const files = Number(process.env["KIT_BENCH_FILES"] ?? usualFiles);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "kit-bench-files-")));
  try {
    const survey = await surveyProgram(folder);
    const root = join(folder, "tree");
    mkdirSync(root);
    const last = writeTree(root, files);
    const first = survey(root);
    const next = survey(root);
    appendFileSync(join(root, last), "export const invoice = 1;\n");
    const changed = survey(root);
    const share = Math.max(0.2, files / promisedFiles);
    const rows = [
      timeRow("first survey", first, 5_000 * share),
      timeRow("next survey", next, 700 * Math.max(0.4, share)),
      timeRow("survey after a change", changed, 700 * Math.max(0.4, share)),
      { name: `memory of the first survey`, value: first.megabytes, unit: "MB", limit: 400 },
    ] as const satisfies readonly BenchRow[];
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function timeRow(name: string, { tookMs, stages, files }: Measured, limit: number): BenchRow {
  const each = Object.entries(stages).map(([stage, ms]) => `${stage} ${ms}`);
  const beside = `${files} files; ms: ${each.join(", ")}`;
  return { name, value: tookMs, unit: "ms", limit: Math.round(limit), beside };
}
