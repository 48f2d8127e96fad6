import { mkdir } from "node:fs/promises";
import {
  KitError,
  type Adapter,
  type CallRequest,
  type CallResult,
} from "../../contracts/index.ts";
import { runProcess } from "../../lib/processes/index.ts";
import { stripColour } from "../../lib/text.ts";
import { callArguments, featuresOf, inventoryArguments, rpcArguments } from "./arguments.ts";
import { type PiCommand, readCommandList } from "./commands.ts";
import { piEnvironment } from "./environment.ts";
import { EventReader } from "./events.ts";
import { readModelList } from "./models.ts";
import { readOutcome, replyText } from "./outcome.ts";
import { findPi } from "./program.ts";
import { cacheFolder as cacheFolderOf, systemPromptFile, unusable } from "../private-folder.ts";
import type { Environment, FoundProgram } from "../program.ts";
import { detectVersion, forgetVersion, type PiVersion, type VersionRequest } from "./version.ts";
import { piSettings, workingFolder } from "./working-folder.ts";

export interface PiAdapterOptions {
  /** kit's own environment; pi gets all of it but what docs/pi.md lists. */
  readonly env: Environment;
  /** The setting `adapters.pi.program`; default: `KIT_PI`, then `pi` on PATH. */
  readonly program?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** How long a pi that said its last word may take to exit; then kit ends it. */
  readonly lingerMs?: number;
}

/** A pi that was found, with the version it says it is. */
interface ReadyPi extends VersionRequest {
  readonly pi: FoundProgram;
  readonly version: PiVersion;
}

const interrupted: CallResult = {
  ok: false,
  failure: { kind: "interrupted", message: "the call was not made" },
};

/** What a pi that was started says of itself. */
export interface PiInventory {
  readonly program: string;
  readonly version: string;
  readonly commands: readonly PiCommand[];
}

/**
 * Starts the user's pi as they have it, in kit's own folder, and lists the commands of the extensions,
 * skills and prompts it loads; no model is called. The code of every installed extension runs.
 * @throws KitError `environment` where pi is missing or does not start, in its own words.
 */
export async function listPiCommands(
  options: PiAdapterOptions,
  signal?: AbortSignal,
): Promise<PiInventory> {
  const ready = await readyPi(options, signal);
  const args = inventoryArguments(featuresOf(ready.version));
  const commands = await askPi(ready, args, listsCommands, signal);
  return { program: ready.pi.file, version: ready.version.join("."), commands };
}

/** Each time anew: with the version cached it costs a few file reads, and sees a repair. */
async function readyPi(options: PiAdapterOptions, signal?: AbortSignal): Promise<ReadyPi> {
  const cacheFolder = cacheFolderOf(options.env, "pi");
  const pi = await findPi(options.program, options.env);
  await mkdir(cacheFolder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw unusable(cacheFolder, error);
  });
  const request = {
    pi,
    env: piEnvironment(options.env),
    cacheFolder,
    now: options.now ?? Date.now,
    ...(signal === undefined ? {} : { signal }),
  };
  return { ...request, version: await detectVersion(request) };
}

/** Calls models through the pi CLI, one shot a call, tools off (`docs/pi.md`). */
export function createPiAdapter(options: PiAdapterOptions): Adapter {
  const ready = (signal?: AbortSignal): Promise<ReadyPi> => readyPi(options, signal);

  return {
    name: "pi",

    async check(signal) {
      const { pi, version } = await ready(signal);
      return { program: pi.file, version: version.join(".") };
    },

    async call(request) {
      if (request.prompt.trim() === "") throw new KitError("usage", "The prompt is empty");
      if (request.signal.aborted) return interrupted;
      const pi = await ready(request.signal).catch((error: unknown) => {
        if (!request.signal.aborted) throw error;
        return undefined;
      });
      if (pi === undefined) return interrupted;
      const result = await callPi(request, pi, options.lingerMs ?? 2000);
      if (!result.ok && result.failure.detail?.includes("Unknown option") === true)
        await forgetVersion(pi);
      return result;
    },

    async models(signal) {
      const pi = await ready(signal);
      const args = rpcArguments(featuresOf(pi.version));
      return askPi(pi, args, listsModels, signal);
    },
  };
}

async function callPi(request: CallRequest, ready: ReadyPi, lingerMs: number): Promise<CallResult> {
  const { pi, env, cacheFolder, now, version } = ready;
  const { binding } = request.candidate;
  const { maxReplyBytes, timeoutMs, idleTimeoutMs, onProgress, onReply } = request;
  const features = featuresOf(version);
  const folder = await workingFolder(cacheFolder, piSettings(idleTimeoutMs));
  const system = await systemPromptFile(folder, request.systemPrompt, now());
  const stop = new AbortController();
  const reader = new EventReader({
    wanted: binding,
    lastEvent: features.lastEvent,
    maxReplyBytes,
    lingerMs,
    stop: () => stop.abort(),
    ...(onProgress === undefined ? {} : { onProgress }),
    onSettled: (last) => {
      if (last?.stopReason === "stop") onReply?.(replyText(last));
    },
  });
  try {
    const process = await runProcess({
      program: pi.program,
      args: [...pi.args, ...callArguments(binding, system.file, features)],
      cwd: folder,
      env,
      input: request.prompt,
      timeoutMs,
      idleTimeoutMs,
      signal: AbortSignal.any([request.signal, stop.signal]),
      // A line repeats the reply, up to twice before 0.84, with its line breaks escaped.
      maxStdoutBytes: 3 * maxReplyBytes + 8 * 1024 * 1024,
      onStdoutLine: reader.onLine,
      label: "pi",
    });
    const facts = reader.finish();
    return readOutcome({
      facts,
      process,
      binding,
      features,
      maxReplyBytes,
      timeoutMs,
      idleTimeoutMs,
      now: now(),
    });
  } finally {
    reader.finish();
    await system.remove();
  }
}

/** An RPC command of pi that changes nothing, and how its answer is known. */
interface Question<T> {
  readonly type: string;
  readonly what: string;
  read(line: Buffer): T | undefined;
}

const listsModels = { type: "get_available_models", what: "models", read: readModelList };
const listsCommands = { type: "get_commands", what: "commands", read: readCommandList };

/**
 * Starts pi, asks one question over RPC and lets it end.
 * @throws KitError `environment` without an answer; the signal's reason where that stopped it
 */
async function askPi<T>(
  { pi, env, cacheFolder }: ReadyPi,
  args: readonly string[],
  { type, what, read }: Question<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const folder = await workingFolder(cacheFolder, piSettings(300_000));
  let answer: T | undefined;
  const { ended, stderr } = await runProcess({
    program: pi.program,
    args: [...pi.args, ...args],
    cwd: folder,
    env,
    input: `${JSON.stringify({ id: "kit", type })}\n`,
    timeoutMs: 30_000,
    onStdoutLine: (line) => (answer ??= read(line)),
    label: "pi",
    ...(signal === undefined ? {} : { signal }),
  });
  if (answer !== undefined) return answer;
  signal?.throwIfAborted();
  throw new KitError(
    "environment",
    `pi did not list its ${what} (${ended.by}): ${stripColour(stderr).trim().slice(0, 300)}`,
    { next: "Try: pi --list-models" },
  );
}
