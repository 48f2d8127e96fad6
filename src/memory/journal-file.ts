import { constants } from "node:fs";
import { appendFile, open } from "node:fs/promises";
import { codeOf } from "../lib/files.ts";
import { requireOwnPlace } from "../lib/own-place.ts";
import type { JournaledRun } from "./run-entries.ts";

/** The journal of a repository, as much of it as counts. */
export interface Journal {
  /** Oldest first. */
  readonly runs: readonly JournaledRun[];
  /** Lines that are no run of this version. */
  readonly unreadable: number;
}

/** The newest runs are read; a line is some 2 KB. */
const maxRuns = 200;
const maxBytes = 1024 * 1024;

/**
 * The newest runs of the journal; a missing file holds none. Reads the end of the file alone, so
 * that a long history costs no more than a short one.
 * @param file absolute `.kit/runs/journal.jsonl`
 * @throws OddPlaceError where it is a link or no file
 */
export async function readJournal(file: string): Promise<Journal> {
  const lines = (await endOf(file)).split("\n").filter((line) => line !== "");
  const read = lines.slice(-maxRuns).map(parseLine);
  // A run that was stopped and resumed has a line of each end: the last one counts.
  const runs = [...new Map(read.flatMap((run) => (run ? [[run.id, run] as const] : []))).values()];
  return { runs, unreadable: read.filter((run) => run === undefined).length };
}

/**
 * Adds a run. One write of whole lines: two kits that end at once do not mix theirs, and a line
 * that a crash tore is ended first.
 * @throws OddPlaceError where `file` is a link or no file
 */
export async function appendToJournal(file: string, run: JournaledRun): Promise<void> {
  requireOwnPlace(file, "file");
  const flag = constants.O_APPEND | constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW;
  await appendFile(file, `\n${JSON.stringify(run)}\n`, { mode: 0o600, flag });
}

async function endOf(file: string): Promise<string> {
  requireOwnPlace(file, "file");
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
  const handle = await open(file, flags).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (handle === undefined) return "";
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - maxBytes);
    const bytes = Buffer.alloc(size - start);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
    const end = bytes.toString("utf8", 0, bytesRead);
    // The first line may be half of one.
    return start === 0 ? end : end.slice(end.indexOf("\n") + 1);
  } finally {
    await handle.close();
  }
}

function parseLine(line: string): JournaledRun | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJournaledRun(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

// By hand: every run reads every line when it starts, and a schema takes ten times as long.

function isJournaledRun(value: unknown): value is JournaledRun {
  if (!isRecord(value) || value["v"] !== 1 || !hasTexts(value, runTexts)) return false;
  const { task, entries, commit, baseline = [] } = value;
  return (
    typeof task === "string" &&
    (commit === undefined || typeof commit === "string") &&
    Array.isArray(entries) &&
    entries.every(isEntry) &&
    Array.isArray(baseline) &&
    baseline.every(
      (each) => isRecord(each) && hasTexts(each, ["command"]) && typeof each["green"] === "boolean",
    )
  );
}

const runTexts = ["id", "outcome", "at", "episode"];
const entryTexts = ["id", "category", "summary", "severity", "stageId", "createdAt"];

function isEntry(value: unknown): boolean {
  if (!isRecord(value) || !hasTexts(value, entryTexts)) return false;
  const { evidence } = value;
  return Array.isArray(evidence) && evidence.every((ref) => typeof ref === "string");
}

function hasTexts(value: Readonly<Record<string, unknown>>, keys: readonly string[]): boolean {
  return keys.every((key) => typeof value[key] === "string" && value[key] !== "");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
