import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { type Failure, repoPath, type VerdictKind } from "../../../src/contracts/index.ts";
import { repository } from "../../support/repository.ts";
import { candidate, fileBlock, play } from "../support.ts";
import type { RepositoryRow } from "./row.ts";

/** What a run made of a row. */
export interface JudgedRow {
  readonly verdict: VerdictKind;
  readonly evidence: string | undefined;
  readonly outcome: string;
  /** Candidates that were asked. */
  readonly asked: number;
  /** Every file of the row is as it was. */
  readonly isRestored: boolean;
  /** The last failure's or verdict's own words. */
  readonly said: string;
}

const verdictOfFailure: Partial<Record<Failure["kind"], VerdictKind>> = {
  tests_weakened: "weakened",
  environment: "environment",
};

/** Plays a whole run of a row's change: two models would answer with it, and the second with another. */
export async function judgeRow(row: RepositoryRow): Promise<JudgedRow> {
  const root = repository(row.base);
  const paths = new Set([...Object.keys(row.base), ...Object.keys(row.change)]);
  const before = contentsOf(root, paths);
  const { outcome, events, calls } = await play({
    root,
    test: row.command,
    coder: [candidate("p1/a"), candidate("p2/b")],
    answer: () => replyOf(row.change),
    pack: {
      task: "Fix add()",
      goal: "add(2, 3) returns 5.",
      constraints: [],
      relevantFiles: Object.keys(row.change).map((path) => ({
        path: repoPath(path),
        ...(row.base[path] === undefined && { create: true }),
      })),
      expectedOutput: "Blocks.",
    },
    options: { mayEditTests: row.mayEditTests === true, verify: row.verify },
    ...(row.timeoutMs !== undefined && { limits: { gateTimeoutMs: row.timeoutMs } }),
  });
  const verdict = events.findLast((event) => event.type === "verdict");
  const failure =
    outcome.failure?.kind === "repeat"
      ? events.find((event) => event.type === "attempt_finished")?.failure
      : outcome.failure;
  const kind = verdict?.kind ?? (failure && verdictOfFailure[failure.kind]);
  if (kind === undefined) throw new Error(`no verdict: ${failure?.kind}: ${failure?.message}`);
  return {
    verdict: kind,
    evidence: verdict?.evidence,
    outcome: outcome.outcome,
    asked: calls.length,
    isRestored: contentsOf(root, paths) === before,
    said: verdict?.summary ?? failure?.message ?? "",
  };
}

/** Why a row cannot be judged on this machine; undefined: it can. */
export function missingFor({ needs }: RepositoryRow): string | undefined {
  if (needs === undefined) return undefined;
  useToolchainsOfUser();
  const { status } = spawnSync(needs, [needs === "go" ? "version" : "--version"], {
    stdio: "ignore",
  });
  return status === 0 ? undefined : `${needs} is not installed`;
}

/** rustup finds its toolchains by HOME, which tests do not see. */
function useToolchainsOfUser(): void {
  for (const [name, folder] of [
    ["RUSTUP_HOME", ".rustup"],
    ["CARGO_HOME", ".cargo"],
  ] as const) {
    const place = join(userInfo().homedir, folder);
    if (process.env[name] === undefined && existsSync(place)) process.env[name] = place;
  }
}

function replyOf(change: RepositoryRow["change"]): string {
  return Object.entries(change)
    .map(([path, text]) => (text === null ? `=== DELETE: ${path} ===\n` : fileBlock(path, text)))
    .join("");
}

/** What stands at some paths, as one text. */
function contentsOf(root: string, paths: ReadonlySet<string>): string {
  const files = [...paths].map((path) => join(root, path));
  const texts = files.map((file) => (existsSync(file) ? readFileSync(file, "utf8") : null));
  return JSON.stringify(texts);
}
