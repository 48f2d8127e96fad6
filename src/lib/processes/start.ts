import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import diagnosticsChannel from "node:diagnostics_channel";
import { existsSync } from "node:fs";
import { codeOf } from "../files.ts";
import { markedEnvironment, nextMarker } from "./marker.ts";
import type { ProcessAnnouncement, ProcessEnding } from "./types.ts";
import { expectChild, unwatchChild, watchChild } from "./watchdog.ts";

const channel = diagnosticsChannel.channel("kit:process");

/** What a child is started with. */
export interface StartRequest {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdio: StdioOptions;
  readonly label: string;
  /** True where it may start others: it is then told to the watchdog. */
  readonly watched: boolean;
}

/** A running child; `finish` is called once, when its whole family is gone. */
export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly marker: string;
  readonly exited: Promise<ProcessEnding>;
  finish(): void;
}

/** Starts a child in its own session. Every way in which that can fail is a value. */
export async function start(
  request: StartRequest,
): Promise<Started | Extract<ProcessEnding, { by: "spawn_error" }>> {
  const marker = nextMarker();
  if (request.watched) expectChild();
  // The child lives from the fork on; `spawn` returns once its program has replaced it.
  const startedAt = performance.now();
  let child: ChildProcess;
  try {
    child = spawn(request.program, [...request.args], {
      cwd: request.cwd,
      env: markedEnvironment(request.env, marker),
      stdio: request.stdio,
      detached: true,
    });
  } catch (error) {
    // NUL in an argument, an argument over 128 KiB (E2BIG), a folder that may not be entered.
    if (request.watched) watchChild(undefined);
    return spawnError(request, error);
  }
  const { pid } = child;
  if (request.watched) watchChild(pid);
  if (pid === undefined) {
    return spawnError(request, await new Promise((resolve) => child.once("error", resolve)));
  }
  child.on("error", () => undefined);
  announce({ phase: "start", id: marker, label: request.label });
  return {
    child,
    pid,
    marker,
    exited: exitOf(child),
    finish() {
      if (request.watched) unwatchChild(pid);
      const durationMs = performance.now() - startedAt;
      announce({ phase: "end", id: marker, label: request.label, durationMs });
    },
  };
}

function exitOf(child: ChildProcess): Promise<ProcessEnding> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      resolve(code === null ? { by: "signal", signal: signal ?? "unknown" } : { by: "exit", code });
    });
  });
}

function announce(announcement: ProcessAnnouncement): void {
  channel.publish(announcement);
}

/** The system reports a missing folder as a missing program: tell the two apart. */
function spawnError(
  { program, cwd }: StartRequest,
  error: unknown,
): Extract<ProcessEnding, { by: "spawn_error" }> {
  const code = codeOf(error) ?? "UNKNOWN";
  const missingFolder = code === "ENOENT" && !existsSync(cwd);
  const message = missingFolder
    ? `the folder ${cwd} does not exist`
    : error instanceof Error
      ? error.message.slice(0, 500)
      : String(error);
  return { by: "spawn_error", code, message: missingFolder ? message : `${program}: ${message}` };
}
