import { join } from "node:path";
import type { ExitCode, RecordedEvent } from "../../contracts/index.ts";
import { runProcess } from "../../lib/processes/index.ts";
import { type Receipt, readRun } from "../../runs/index.ts";
import type { Io } from "../io.ts";
import { packageRoot } from "../package.ts";

/** A `kit run`, or one gone on with, in a process of its own: records, ledger and locks are shared, nothing else is. */
export interface ChildRunRequest {
  /** `run` or `resume` with its flags, without the task. */
  readonly args: readonly [command: "run" | "resume", ...flags: readonly string[]];
  /** Absent: the pack of the flags has one, or the record. */
  readonly task?: string;
  /** Test commands run here. */
  readonly cwd: string;
  readonly env: Io["env"];
  readonly signal: AbortSignal;
  /** Told of every event that it records. */
  readonly onEvent: (event: RecordedEvent) => void;
}

/** How it ended. */
export interface ChildRunEnd {
  readonly exitCode: ExitCode;
  /** Absent: it was refused before there was a record. */
  readonly receipt?: Receipt;
  /** Why it was refused, or that it was killed; one line. */
  readonly error?: string;
}

/** A run that is told to stop takes its changes back and its tree away. */
const graceMs = 10_000;

/** Runs it to its end. Never rejects, but with what `onEvent` throws. */
export async function runChild(request: ChildRunRequest): Promise<ChildRunEnd> {
  const { args, task, cwd, env, signal, onEvent } = request;
  let started: Extract<RecordedEvent, { type: "run_started" }> | undefined;
  const { ended, stderr } = await runProcess({
    program: process.execPath,
    // A task on stdin is no line of the process table, and may be of any length.
    args: [
      join(packageRoot(), "bin", "kit.cjs"),
      ...args,
      "--events",
      "--quiet",
      ...(task === undefined ? [] : ["--task=-"]),
    ],
    cwd,
    env,
    ...(task !== undefined && { input: task }),
    signal,
    graceMs,
    label: "kit run",
    onStdoutLine(line) {
      const event = eventOf(line);
      if (event === undefined) return;
      if (event.type === "run_started") started = event;
      onEvent(event);
    },
  });
  const receipt = started && (await receiptOf(started));
  if (receipt !== undefined && (ended.by === "exit" || ended.by === "abort")) {
    // Stopped is not always undone: its change may have landed a moment before.
    return { exitCode: receipt.exitCode, receipt };
  }
  const more = receipt === undefined ? {} : { receipt };
  if (ended.by === "exit") {
    return { exitCode: exitCodeOf(ended.code), ...more, error: refusalOf(stderr, ended.code) };
  }
  if (ended.by === "abort") return { exitCode: 130, ...more, error: "interrupted" };
  const how = ended.by === "signal" ? `killed by ${ended.signal}` : `ended by ${ended.by}`;
  return { exitCode: 5, ...more, error: `the run was ${how}` };
}

function eventOf(line: Buffer): RecordedEvent | undefined {
  try {
    return JSON.parse(line.toString("utf8")) as RecordedEvent;
  } catch {
    return undefined;
  }
}

async function receiptOf({
  root,
  runId,
}: Extract<RecordedEvent, { type: "run_started" }>): Promise<Receipt | undefined> {
  try {
    return (await readRun(join(root, ".kit", "runs"), runId)).receipt;
  } catch {
    return undefined;
  }
}

const exitCodes: readonly ExitCode[] = [0, 1, 2, 3, 4, 5, 130];

/** An exit that kit does not know is Node's own: a broken environment. */
function exitCodeOf(code: number): ExitCode {
  return exitCodes.find((known) => known === code) ?? 5;
}

/** The error as kit tells it, on one line. */
function refusalOf(stderr: string, code: number): string {
  const lines = stderr.trim().split("\n");
  const from = lines.findLastIndex((line) => line.startsWith("kit: "));
  const told = lines.slice(Math.max(0, from)).map((line) => line.trim());
  const text = told.join("; ").replace(/^kit: /, "");
  return text === "" ? `exit ${code}` : text;
}
