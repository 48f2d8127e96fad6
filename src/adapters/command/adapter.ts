import {
  KitError,
  type Adapter,
  type Binding,
  type CallRequest,
  type CallResult,
  type Failure,
} from "../../contracts/index.ts";
import { runProcess, type ProcessResult } from "../../lib/processes/index.ts";
import { decodeUtf8, stripColour } from "../../lib/text.ts";
import { endedByLimit, findFault, nameOf, replyTooLarge } from "../answer.ts";
import { environmentWithoutSecrets } from "../environment.ts";
import { emptyFolder, systemPromptFile } from "../private-folder.ts";
import { findProgram, type Environment } from "../program.ts";
import { classifyProviderError } from "../provider-errors/classify.ts";
import { withoutLineColours } from "../reply-text.ts";

export interface CommandAdapterOptions {
  /** kit's own environment; programs see it without what looks like a credential. */
  readonly env: Environment;
  /** Bindings whose models `models` shows. */
  readonly bindings?: readonly Binding[] | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/**
 * Calls any program: the prompt on its stdin, the reply on its stdout, exit 0. The binding names it
 * (`command: [PROGRAM, ARGUMENT, …]`), so only the user can.
 */
export function createCommandAdapter(options: CommandAdapterOptions): Adapter {
  const { env, bindings = [], now = Date.now } = options;
  return {
    name: "command",

    check: () => Promise.resolve({ program: "named by its binding", version: "" }),

    async call(request) {
      if (request.prompt.trim() === "") throw new KitError("usage", "The prompt is empty");
      const { binding } = request.candidate;
      const [name = "", ...args] = binding.command ?? [];
      const found = name === "" ? undefined : await findProgram(name, env);
      if (found === undefined) return { ok: false, failure: notFound(binding, name) };
      const folder = await emptyFolder(env, "command");
      const system = args.some((argument) => argument.includes("{system_file}"))
        ? await systemPromptFile(folder, request.systemPrompt, now())
        : undefined;
      const values = { model: binding.model, system_file: system?.file ?? "" };
      try {
        const ran = await runProcess({
          program: found.program,
          args: [...found.args, ...args.map((argument) => filled(argument, values))],
          cwd: folder,
          env: environmentWithoutSecrets(env, { named: binding.passEnvironment }),
          input: system === undefined ? textOf(request) : request.prompt,
          timeoutMs: request.timeoutMs,
          idleTimeoutMs: request.idleTimeoutMs,
          signal: request.signal,
          maxStdoutBytes: request.maxReplyBytes,
          label: "command",
        });
        request.onProgress?.(ran.stdout.length);
        return readOutcome(request, ran, now());
      } finally {
        await system?.remove();
      }
    },

    models: () =>
      Promise.resolve(
        bindings
          .filter(({ adapter }) => adapter === "command")
          .map(({ provider, model }) => ({ provider, model })),
      ),
  };
}

/** A program that takes one text gets the system prompt in front. */
function textOf({ systemPrompt, prompt }: CallRequest): string {
  return systemPrompt === "" ? prompt : `${systemPrompt}\n\n${prompt}`;
}

function filled(argument: string, values: Readonly<Record<string, string>>): string {
  return argument.replaceAll(
    /\{(model|system_file)\}/g,
    (whole, name: string) => values[name] ?? whole,
  );
}

function notFound(binding: Binding, name: string): Failure {
  const what = name === "" ? "has no command" : `names ${name}, which is no program on PATH`;
  return {
    kind: "model_not_found",
    message: `${nameOf(binding)} ${what}: correct command in its binding`,
  };
}

function readOutcome(request: CallRequest, ran: ProcessResult, now: number): CallResult {
  const { binding } = request.candidate;
  const text = decodeUtf8(ran.stdout);
  const failure = findFailure(request, ran, text, now);
  const said = stripColour(ran.stderr).trim();
  const notes = [
    ...(said === "" || failure !== undefined ? [] : [`it said on stderr: ${said.slice(-2000)}`]),
    ...ran.leftBehind.map((command) => `it left a process running; kit ended it: ${command}`),
  ];
  if (failure === undefined && text !== undefined)
    return {
      ok: true,
      text: withoutLineColours(text),
      servedBy: nameOf(binding),
      ...(notes.length > 0 && { notes }),
    };
  return {
    ok: false,
    failure: failure ?? notText(binding),
    ...(text !== undefined && text !== "" && { partialText: text }),
    ...(notes.length > 0 && { notes }),
  };
}

function findFailure(
  request: CallRequest,
  { ended, stdout, stderr }: ProcessResult,
  text: string | undefined,
  now: number,
): Failure | undefined {
  const { binding } = request.candidate;
  const who = nameOf(binding);
  const said = stripColour(stderr).trim();
  const detail = said === "" ? {} : { detail: said.slice(-4000) };
  switch (ended.by) {
    case "spawn_error":
      return { kind: "model_not_found", message: `${who} could not be started: ${ended.message}` };
    case "overflow":
      return replyTooLarge(request.maxReplyBytes);
    case "deadline":
    case "idle":
    case "abort":
      return endedByLimit(ended.by, request, stdout.length);
    case "signal":
      return {
        kind: "provider_unknown",
        message: `${who} was killed by ${ended.signal} from outside`,
        ...detail,
      };
    case "exit":
      if (ended.code !== 0) return readStderr(said, who, ended.code, now);
      return text === undefined
        ? notText(binding)
        : findFault({ text, hasReasoning: false, stopReason: "stop" }, binding);
  }
}

function notText(binding: Binding): Failure {
  return {
    kind: "provider_unknown",
    message: `${nameOf(binding)} printed bytes that are not UTF-8 text`,
  };
}

/** Programs say last what ended them; lines far above may be anything, the reply among them. */
const linesRead = 10;

function readStderr(said: string, who: string, code: number, now: number): Failure {
  const lines = said.split("\n").filter((line) => line.trim() !== "");
  const detail = said.slice(-4000);
  for (const line of lines.slice(-linesRead).reverse()) {
    const failure = classifyProviderError(line.trim(), who, now);
    if (failure.kind !== "provider_unknown") return { ...failure, detail };
  }
  const last = lines.at(-1)?.trim().slice(0, 200);
  return {
    kind: "provider_unknown",
    message: `${who} failed (exit ${code})${last === undefined ? "" : `: ${last}`}`,
    ...(detail !== "" && { detail }),
  };
}
