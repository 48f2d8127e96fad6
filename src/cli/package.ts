import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The folder kit is installed in, with its agents, routing, adapters and fixtures: the nearest
 * one above this file with a manifest, for sources and bundle alike.
 */
export function packageRoot(from: string = import.meta.dirname): string {
  if (existsSync(join(from, "package.json"))) return from;
  const above = dirname(from);
  if (above === from) throw new Error(`no package.json above ${import.meta.dirname}`);
  return packageRoot(above);
}

/** kit's own version, as its manifest says it. */
export function kitVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8"));
  return String((manifest as { version: unknown }).version);
}
