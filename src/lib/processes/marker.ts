import { randomBytes } from "node:crypto";

/**
 * Every child carries `KIT_PROCESS=<kit process>.<n>;` and hands it on to whatever it starts, so
 * that a process which left its group and session is still found by its environment. A kit
 * inside a kit appends, so that the outer one finds the inner one's children too.
 */
export const markerVariable = "KIT_PROCESS";

const instance = randomBytes(8).toString("hex");
let started = 0;

/**
 * The part that the markers of all children of this kit process share. Its lock carries it, so
 * that the next kit can end what a killed one left (`endProcessesMarked`).
 */
export function processMarker(): string {
  return `${instance}.`;
}

/** True for what `processMarker` of some kit process gives, and nothing else. */
export function isProcessMarker(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{16}\.$/.test(value);
}

/** A marker for one child. */
export function nextMarker(): string {
  started += 1;
  return `${instance}.${started};`;
}

/** The environment with the marker in it. */
export function markedEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  marker: string,
): Record<string, string | undefined> {
  return { ...env, [markerVariable]: `${process.env[markerVariable] ?? ""}${marker}` };
}
