import type { ExitCode, OutcomeKind } from "../../contracts/index.ts";
import type { Receipt } from "../receipt.ts";

/** What a list shows of a run: a part of its receipt. */
export interface RunRow {
  readonly id: string;
  /** Absolute. */
  readonly folder: string;
  readonly task: string;
  readonly outcome: OutcomeKind;
  readonly exitCode: ExitCode;
  readonly escalated: boolean;
  /** ISO time; null where the log does not say. */
  readonly startedAt: string | null;
  readonly attempts: number;
  readonly calls: number;
  readonly changedFiles: readonly string[];
  readonly durationMs: number;
  readonly costUsd?: number;
  /** Calls of unknown cost; above zero, `costUsd` is a lower bound. */
  readonly costUnknown: number;
}

export function rowOf(id: string, folder: string, receipt: Receipt): RunRow {
  const { task, outcome, exitCode, escalated, startedAt, attempts, changedFiles, totals } = receipt;
  const { calls, durationMs, costUsd, costUnknown } = totals;
  return {
    id,
    folder,
    task,
    outcome,
    exitCode,
    escalated,
    startedAt,
    attempts: attempts.length,
    calls,
    changedFiles,
    durationMs,
    ...(costUsd !== undefined && { costUsd }),
    costUnknown,
  };
}
