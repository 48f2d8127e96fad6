import { realpathSync } from "node:fs";
import { join, sep } from "node:path";
import type { AgentFile } from "./agent-files.ts";
import type { OverrideChange } from "./difference.ts";

/** A command that a started pi names. */
export interface LoadedCommand {
  readonly name: string;
  readonly source: "extension" | "prompt" | "skill";
  readonly path?: string;
}

/**
 * - `loaded`: once, as it should be
 * - `missing`, `twice`: neither
 * - `foreign`: something else has its name
 * - `stale`: pi's settings say another model than kit's do
 * - `unset`: nothing of it was ever applied; no fault
 * - `unused`: its model is set, and pi's subagents have nobody of that name; no fault
 */
export type PartState = "loaded" | "missing" | "twice" | "foreign" | "stale" | "unset" | "unused";

/** One thing that pi has, or should have, of kit. */
export interface LoadedPart {
  readonly kind: "extension" | "skill" | "subagents" | "agent";
  readonly name: string;
  readonly state: PartState;
  /** Files it came from; absolute. */
  readonly from: readonly string[];
  /** The step that mends it. */
  readonly next?: string;
}

export interface Loaded {
  readonly commands: readonly LoadedCommand[];
  /** kit's own package folder, for what installs it. */
  readonly packageRoot: string;
  readonly changes: readonly OverrideChange[];
  /** The user's own, in pi's folder. */
  readonly files: readonly AgentFile[];
  /** Those that come with pi's subagents; the user's own stand above them. */
  readonly bundled: readonly AgentFile[];
}

const extensionEnd = join("adapters", "pi", "extension", "index.ts");
const skillEnd = join("adapters", "pi", "skills", "kit", "SKILL.md");

/** Whether pi loads kit's extension and skill once each, and its subagents know kit's models. */
export function judgeLoaded(loaded: Loaded): LoadedPart[] {
  const { commands, packageRoot, changes } = loaded;
  const next = `pi install ${packageRoot}`;
  const extensions = commands.filter(
    ({ name, source }) => source === "extension" && /^kit(?::\d+)?$/.test(name),
  );
  const skills = commands.filter(({ name, source }) => source === "skill" && name === "skill:kit");
  const applied = changes.some(({ state }) => state !== "add");
  return [
    partOf("extension", "/kit", extensions, extensionEnd, next),
    partOf("skill", "kit", skills, skillEnd, next),
    ...(applied ? [subagentsOf(commands)] : []),
    ...changes.map((change) => agentOf(change, loaded)),
  ];
}

function partOf(
  kind: "extension" | "skill",
  name: string,
  found: readonly LoadedCommand[],
  end: string,
  install: string,
): LoadedPart {
  const from = found.map(({ path = "" }) => realPath(path));
  const once = "Remove all but one of them: pi list, pi config";
  if (found.length === 0) return { kind, name, state: "missing", from, next: install };
  if (found.length > 1) return { kind, name, state: "twice", from, next: once };
  const isOwn = from.every((path) => path.endsWith(`${sep}${end}`));
  return isOwn
    ? { kind, name, state: "loaded", from }
    : { kind, name, state: "foreign", from, next: once };
}

/** The entry files of what reads `subagents` of pi's settings: an extension, known by its folder. */
export function subagentExtensions(commands: readonly LoadedCommand[]): string[] {
  const paths = commands.flatMap(({ source, path }) =>
    source === "extension" ? (path ?? []) : [],
  );
  return [...new Set(paths.filter((path) => /[/\\](?:pi-)?subagents?[/\\]/.test(path)))];
}

function subagentsOf(commands: readonly LoadedCommand[]): LoadedPart {
  const from = subagentExtensions(commands);
  const part = { kind: "subagents", name: "pi-subagents", from } as const;
  if (from.length > 0) return { ...part, state: "loaded" };
  return { ...part, state: "missing", next: "pi install npm:pi-subagents" };
}

function agentOf({ agent, state }: OverrideChange, { files, bundled }: Loaded): LoadedPart {
  const named = (those: readonly AgentFile[]): string[] =>
    those.filter(({ name }) => name === agent).map(({ file }) => file);
  const own = named(files);
  const from = own.length > 0 ? own : named(bundled);
  const part = { kind: "agent", name: agent, from } as const;
  if (own.length > 1) return { ...part, state: "twice", next: "Keep one of these files" };
  if (state === "same") return { ...part, state: from.length === 0 ? "unused" : "loaded" };
  const next = "kit pi apply";
  return state === "add" ? { ...part, state: "unset", next } : { ...part, state: "stale", next };
}

/** pi names an extension by the link it found it through. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
