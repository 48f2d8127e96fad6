import { mkdir } from "node:fs/promises";
import {
  KitError,
  type Adapter,
  type AdapterModel,
  type CallRequest,
  type CallResult,
} from "../../contracts/index.ts";
import { runProcess } from "../../lib/processes/index.ts";
import { callArguments, featuresOf, rpcArguments } from "./arguments.ts";
import { piEnvironment } from "./environment.ts";
import { EventReader } from "./events.ts";
import { readModelList } from "./models.ts";
import { readOutcome } from "./outcome.ts";
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

/** Calls models through the pi CLI, one shot a call, tools off (`docs/pi.md`). */
export function createPiAdapter(options: PiAdapterOptions): Adapter {
  const now = options.now ?? Date.now;
  const cacheFolder = cacheFolderOf(options.env, "pi");
  const env = piEnvironment(options.env);

  /** Each time anew: with the version cached it costs a few file reads, and sees a repair. */
  const ready = async (signal?: AbortSignal): Promise<ReadyPi> => {
    const pi = await findPi(options.program, options.env);
    await mkdir(cacheFolder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw unusable(cacheFolder, error);
    });
    const request = { pi, env, cacheFolder, now, ...(signal === undefined ? {} : { signal }) };
    return { ...request, version: await detectVersion(request) };
  };

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
      return listModels(await ready(signal), signal);
    },
  };
}

async function callPi(request: CallRequest, ready: ReadyPi, lingerMs: number): Promise<CallResult> {
  const { pi, env, cacheFolder, now, version } = ready;
  const { binding } = request.candidate;
  const { maxReplyBytes, timeoutMs, idleTimeoutMs, onProgress } = request;
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

async function listModels(
  { pi, env, cacheFolder, version }: ReadyPi,
  signal: AbortSignal | undefined,
): Promise<readonly AdapterModel[]> {
  const folder = await workingFolder(cacheFolder, piSettings(300_000));
  let models: readonly AdapterModel[] | undefined;
  const { ended, stderr } = await runProcess({
    program: pi.program,
    args: [...pi.args, ...rpcArguments(featuresOf(version))],
    cwd: folder,
    env,
    input: '{"id":"models","type":"get_available_models"}\n',
    timeoutMs: 30_000,
    onStdoutLine: (line) => (models ??= readModelList(line)),
    label: "pi",
    ...(signal === undefined ? {} : { signal }),
  });
  if (models !== undefined) return models;
  throw new KitError(
    "environment",
    `pi did not list its models (${ended.by}): ${stderr.trim().slice(0, 300)}`,
    {
      next: "Try: pi --list-models",
    },
  );
}
