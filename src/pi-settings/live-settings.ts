import { readFile, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parse, type ParseError, printParseErrorCode } from "jsonc-parser";
import { KitError } from "../contracts/index.ts";
import { codeOf, pathExists } from "../lib/files.ts";
import { homeFolder } from "../lib/home-folder.ts";
import { isPlainObject } from "./plain-object.ts";
import { decodeUtf8, sha256 } from "../lib/text.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** pi's `settings.json` as it was read once. */
export interface LiveSettings {
  /** As pi names it. */
  readonly file: string;
  /** The same with links resolved: what a change writes to. */
  readonly target: string;
  /** Of the bytes; absent where there is no file. */
  readonly hash?: string;
  /** Without a byte order mark; `{}` where there is no file, or nothing in it. */
  readonly text: string;
  readonly hasMark: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
  /** `subagents.agentOverrides`; empty where it is absent. */
  readonly overrides: Readonly<Record<string, unknown>>;
  /** It holds comments or trailing commas, which pi takes for a broken file. */
  readonly hasComments: boolean;
}

/** pi's own rule: `PI_CODING_AGENT_DIR` (with `~`), else `~/.pi/agent`. Absolute. */
export function piAgentFolder(env: Environment): string {
  const { PI_CODING_AGENT_DIR: named } = env;
  const home = homeFolder(env);
  if (!named) return join(home, ".pi", "agent");
  return named === "~" || named.startsWith("~/") ? join(home, named.slice(1)) : resolve(named);
}

/**
 * Reads the settings file of the user's pi; it need not exist.
 * @throws KitError `configuration` where it is not JSON, or the block of kit's would have to replace
 * something else; `environment` where it cannot be read.
 */
export async function readLiveSettings(folder: string): Promise<LiveSettings> {
  const file = join(folder, "settings.json");
  const bytes = await bytesOf(file);
  if (bytes === undefined && (await pathExists(file)))
    throw broken(file, "it is a link to nowhere");
  const target = bytes === undefined ? file : await realpath(file);
  const read = decodeUtf8(bytes ?? new Uint8Array());
  if (read === undefined) throw broken(file, "it is not UTF-8 text");
  const hasMark = read.startsWith("\uFEFF");
  const whole = hasMark ? read.slice(1) : read;
  const text = whole.trim() === "" ? "{}\n" : whole;
  const { value, hasComments } = parseSettings(file, text);
  if (!isPlainObject(value)) throw broken(file, "it holds no object");
  return {
    file,
    target,
    ...(bytes !== undefined && { hash: sha256(bytes) }),
    text,
    hasMark,
    settings: value,
    overrides: overridesOf(file, value),
    hasComments,
  };
}

async function bytesOf(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    const message = error instanceof Error ? error.message : String(error);
    throw new KitError("environment", `pi's settings cannot be read: ${message}`, {
      cause: error,
      next: `Make ${file} a readable file`,
    });
  }
}

/** JSON as pi reads it; with comments it is still readable, for who wrote it. */
function parseSettings(
  file: string,
  text: string,
): { readonly value: unknown; readonly hasComments: boolean } {
  try {
    return { value: JSON.parse(text) as unknown, hasComments: false };
  } catch {
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first === undefined) return { value, hasComments: true };
    const before = text.slice(0, first.offset).split("\n");
    const line = before.length;
    const column = (before.at(-1) ?? "").length + 1;
    throw broken(file, printParseErrorCode(first.error), { line, column });
  }
}

function overridesOf(
  file: string,
  settings: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { subagents = {} } = settings;
  if (!isPlainObject(subagents)) throw broken(file, "subagents is no object");
  const { agentOverrides = {} } = subagents;
  if (!isPlainObject(agentOverrides)) throw broken(file, "subagents.agentOverrides is no object");
  return agentOverrides;
}

function broken(
  file: string,
  reason: string,
  place: { readonly line?: number; readonly column?: number } = {},
): KitError {
  return new KitError("configuration", `${file} is not what pi's settings look like: ${reason}.`, {
    next: "Mend it; nothing was written",
    problems: [{ severity: "error", place: { file, ...place }, message: reason }],
  });
}
