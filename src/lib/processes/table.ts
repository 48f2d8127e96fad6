import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { redact } from "../redaction.ts";
import { markerVariable } from "./marker.ts";

/** A living process, as far as telling families apart needs. */
export interface ProcessEntry {
  /** The process id with the start time where it is known: never given twice. */
  readonly id: string;
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** The value of its marker variable; empty where it has none or it cannot be read. */
  readonly marker: string;
}

/**
 * All living processes that may be looked at; zombies are not alive. The markers of those that are
 * older than `startedSince` (the kernel's ticks, as in `ProcessIdentity`) are not read on Linux:
 * looking into every environment of a machine is most of the time that this takes. Linux reads `/proc`;
 * elsewhere `ps -E`, which shows the environment of the user's own processes only (macOS hides
 * it for system binaries: there a `setsid` child of such a one is not found).
 */
export async function processTable(startedSince = 0): Promise<readonly ProcessEntry[]> {
  if (process.platform === "linux") return linuxTable(startedSince);
  const columns = ["-A", "-E", "-ww", "-o", "pid=,ppid=,pgid=,stat=,command="];
  const listing = await promisify(execFile)("ps", columns, { maxBuffer: 1 << 26 }).catch(() => ({
    stdout: "",
  }));
  return parsePs(listing.stdout);
}

function linuxTable(startedSince: number): readonly ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync("/proc")) {
    const first = name.charCodeAt(0);
    if (first < 49 || first > 57) continue;
    const stat = readProc(name, "stat");
    // The command name may hold spaces and brackets: the fields start behind the last bracket.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ", 20);
    const [state, parent, group, session] = fields;
    if (state === undefined || state === "" || state === "Z" || state === "X") continue;
    const started = fields[19];
    entries.push({
      id: `${name}.${started}`,
      pid: Number(name),
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      marker: Number(started) < startedSince ? "" : markerOf(name),
    });
  }
  return entries;
}

function markerOf(pid: string): string {
  const environment = `\0${readProc(pid, "environ")}`;
  const at = environment.indexOf(`\0${markerVariable}=`);
  const value = at === -1 ? "" : environment.slice(at + markerVariable.length + 2);
  return value.split("\0", 1)[0] ?? "";
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

/** Reads `pid ppid pgid stat command environment` lines, as BSD and macOS `ps -E` print them. */
export function parsePs(listing: string): readonly ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const line of listing.split("\n")) {
    const fields = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s(.*)$/.exec(line);
    if (fields === null || fields[4]?.startsWith("Z") === true) continue;
    const marker = / KIT_PROCESS=(\S*)/.exec(fields[5] ?? "")?.[1] ?? "";
    const [pid, parent, group] = [Number(fields[1]), Number(fields[2]), Number(fields[3])];
    entries.push({ id: `${pid}`, pid, parent, group, session: group, marker });
  }
  return entries;
}

/** What people are told of a process: its command line, shortened and redacted. */
export function describeProcess(pid: number): string {
  const line = readProc(String(pid), "cmdline").replaceAll("\0", " ").trim();
  const shown = redact(Buffer.from(line, "latin1").toString("utf8")).slice(0, 120);
  return shown === "" ? `process ${pid}` : shown;
}
