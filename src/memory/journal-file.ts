import { appendFile, open } from "node:fs/promises";
import * as z from "zod/mini";
import { codeOf } from "../lib/files.ts";
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

const text = z.string();
const texts = z.readonly(z.array(text));
const entryShape = z.object({
  id: text,
  category: z.enum(["plan", "decision", "error", "lesson", "contradiction"]),
  summary: text,
  severity: z.enum(["info", "warning", "error"]),
  evidence: texts,
  stageId: z.exactOptional(text),
  createdAt: text,
});
const runShape: z.ZodMiniType<JournaledRun> = z.object({
  v: z.literal(1),
  id: text,
  task: text,
  outcome: text,
  at: text,
  episode: text,
  entries: z.readonly(z.array(entryShape)),
  commit: z.exactOptional(text),
  baseline: z.exactOptional(z.readonly(z.array(z.object({ command: text, green: z.boolean() })))),
});

/**
 * The newest runs of the journal; a missing file holds none. Reads the end of the file alone, so
 * that a long history costs no more than a short one.
 * @param file absolute `.kit/runs/journal.jsonl`
 */
export async function readJournal(file: string): Promise<Journal> {
  const lines = (await endOf(file)).split("\n").filter((line) => line !== "");
  const read = lines.slice(-maxRuns).map(parseLine);
  const runs = read.filter((run) => run !== undefined);
  return { runs, unreadable: read.length - runs.length };
}

/**
 * Adds a run. One write of whole lines: two kits that end at once do not mix theirs, and a line
 * that a crash tore is ended first.
 */
export async function appendToJournal(file: string, run: JournaledRun): Promise<void> {
  await appendFile(file, `\n${JSON.stringify(run)}\n`, { mode: 0o600 });
}

async function endOf(file: string): Promise<string> {
  const handle = await open(file, "r").catch((error: unknown) => {
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
    const read = runShape.safeParse(JSON.parse(line));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
