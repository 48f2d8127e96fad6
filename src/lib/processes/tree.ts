import { setTimeout as delay } from "node:timers/promises";
import { ownIdentity } from "./identity.ts";
import { describeProcess, processTable, type ProcessEntry } from "./table.ts";

/** From SIGTERM to SIGKILL, and from there until a process that cannot die is given up. */
const usualGraceMs = 1000;
const giveUpMs = 300;

/** What a pipeline's last members need to end by themselves after the command's own exit. */
export const patienceAfterExitMs = 200;
const lookAgainMs = process.platform === "linux" ? 30 : 150;

/** Who belongs to a child: its group and session, its descendants, and whoever carries its marker. */
export interface Family {
  readonly pid: number;
  readonly marker: string;
}

/**
 * Ends a family: SIGTERM, SIGKILL to those alive `graceMs` (a second) later; returns when none is
 * left, at most 0.3 s after that. Gives the command lines of the members found, the child itself left out.
 * `patienceMs`: members that end by themselves within it are neither signalled nor named.
 * Out of reach: a process that left group, session and parent, and dropped its environment.
 */
export async function endFamily(
  family: Family,
  patienceMs: number,
  graceMs = usualGraceMs,
): Promise<readonly string[]> {
  const belongs = (entry: ProcessEntry): boolean => isMember(entry, family);
  // Nothing that kit started is older than kit.
  const since = Number(ownIdentity().started);
  for (const endAt = performance.now() + patienceMs; performance.now() < endAt;) {
    if (closure(await processTable(since), belongs).length === 0) return [];
    await delay(lookAgainMs);
  }
  return endMembers(belongs, family.pid, graceMs, since);
}

/**
 * Ends every process whose marker holds the text: children that a killed kit left, by the marker
 * in its lock. Gives their command lines.
 */
export async function endProcessesMarked(marker: string): Promise<readonly string[]> {
  if (marker === "") return [];
  return endMembers((entry) => entry.marker.includes(marker), undefined, usualGraceMs);
}

async function endMembers(
  belongs: (entry: ProcessEntry) => boolean,
  leader: number | undefined,
  graceMs: number,
  startedSince?: number,
): Promise<readonly string[]> {
  const startedAt = performance.now();
  const names = new Map<string, string>();
  const seen = new Set<string>();
  for (;;) {
    const members = closure(
      await processTable(startedSince),
      (entry) => seen.has(entry.id) || belongs(entry),
    );
    if (members.length === 0) return [...names.values()];
    const elapsedMs = performance.now() - startedAt;
    for (const { id, pid } of members) {
      if (pid !== leader && !names.has(id)) names.set(id, describeProcess(pid));
    }
    if (elapsedMs >= graceMs) for (const { pid } of members) send(pid, "SIGKILL");
    else terminate(members, seen, leader);
    if (elapsedMs >= graceMs + giveUpMs) return [...names.values()];
    for (const { id } of members) seen.add(id);
    await delay(elapsedMs >= graceMs ? 10 : lookAgainMs);
  }
}

/** One SIGTERM to each: a second one is an order to hurry to some programs. */
function terminate(
  members: readonly ProcessEntry[],
  seen: ReadonlySet<string>,
  leader: number | undefined,
): void {
  if (seen.size === 0 && leader !== undefined) send(-leader, "SIGTERM");
  for (const { id, pid, group } of members) {
    if (!seen.has(id) && group !== leader) send(pid, "SIGTERM");
  }
}

/** Those who belong and everything below them. Never kit itself. */
function closure(
  table: readonly ProcessEntry[],
  belongs: (entry: ProcessEntry) => boolean,
): readonly ProcessEntry[] {
  const pids = new Set<number>();
  const members: ProcessEntry[] = [];
  for (let found = true; found;) {
    found = false;
    for (const entry of table) {
      if (pids.has(entry.pid) || entry.pid === process.pid) continue;
      if (!pids.has(entry.parent) && !belongs(entry)) continue;
      pids.add(entry.pid);
      members.push(entry);
      found = true;
    }
  }
  return members;
}

function isMember(entry: ProcessEntry, { pid, marker }: Family): boolean {
  return (
    entry.pid === pid ||
    entry.group === pid ||
    entry.session === pid ||
    entry.marker.includes(marker)
  );
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already, or another user's (a setuid child): nothing more can be done.
  }
}
