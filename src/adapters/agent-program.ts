import { KitError, type Binding, type CallRequest, type Failure } from "../contracts/index.ts";
import { runProcess, type ProcessResult } from "../lib/processes/index.ts";
import { stripColour } from "../lib/text.ts";
import { endedByLimit, nameOf } from "./answer.ts";
import { findProgram, type Environment, type FoundProgram } from "./program.ts";
import { classifyProviderError } from "./provider-errors/classify.ts";

/** What the adapters of other coding agents are made of. */
export interface AgentProgramOptions {
  /** kit's own environment. */
  readonly env: Environment;
  /** A binding's `command` names the program; else the agent's name on PATH is taken. */
  readonly bindings?: readonly Binding[] | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** An agent's program: its name on PATH, and what installs it. */
export interface AgentProgram {
  readonly name: string;
  readonly install: string;
}

/**
 * Finds an agent's program: the `command` of a binding, else its name on PATH. What stands behind
 * the program in `command` goes in front of kit's own arguments.
 * @throws KitError `environment` when there is none, with the command that installs it.
 */
export async function findAgentProgram(
  agent: AgentProgram,
  command: readonly string[] | undefined,
  env: Environment,
): Promise<FoundProgram> {
  const [name = agent.name, ...args] = command ?? [];
  const found = await findProgram(name, env);
  if (found !== undefined) return { ...found, args: [...found.args, ...args] };
  throw new KitError("environment", `${name} is not installed or not on PATH`, {
    next: `Install it: ${agent.install}`,
  });
}

/**
 * The program that the first binding of this agent names, and the version that it says it is.
 * @throws KitError `environment` when there is none, or it does not run; the signal's reason where
 * that stopped it.
 */
export async function checkAgentProgram(
  agent: AgentProgram,
  { env, bindings = [] }: AgentProgramOptions,
  request: {
    readonly cwd: string;
    readonly childEnv: Readonly<Record<string, string | undefined>>;
    readonly signal: AbortSignal | undefined;
  },
): Promise<{ readonly program: string; readonly version: string }> {
  const named = bindings.find(({ adapter }) => adapter === agent.name)?.command;
  const found = await findAgentProgram(agent, named, env);
  const { ended, stdout } = await runProcess({
    program: found.program,
    args: [...found.args, "--version"],
    cwd: request.cwd,
    env: request.childEnv,
    timeoutMs: 30_000,
    label: agent.name,
    ...(request.signal !== undefined && { signal: request.signal }),
  });
  request.signal?.throwIfAborted();
  const version = /\d+\.\d+\.\d+/.exec(stripColour(stdout.toString("utf8")))?.[0];
  if (ended.by === "exit" && ended.code === 0 && version !== undefined)
    return { program: found.file, version };
  throw new KitError("environment", `${found.file} does not say its version (${ended.by})`, {
    next: `Try: ${found.file} --version`,
  });
}

/**
 * Variables an agent gets for a binding's own endpoint, and the name its key has there.
 * The failure says which variable is missing, never its value.
 */
export function keyOf(
  { apiKeyEnv, ...binding }: Binding,
  env: Environment,
): { readonly key?: string } | { readonly failure: Failure } {
  if (apiKeyEnv === undefined) return {};
  const key = env[apiKeyEnv]?.trim() ?? "";
  if (key !== "") return { key };
  const message = `${nameOf(binding)} has no key: the environment variable ${apiKeyEnv} is not set`;
  return { failure: { kind: "auth", message } };
}

/** A program that ended without saying what became of the call. */
export function readSilentEnding(
  agent: string,
  request: CallRequest,
  { ended, stderr }: ProcessResult,
  replyBytes: number,
  now: number,
): Failure {
  const said = stripColour(stderr).trim();
  const detail = said === "" ? {} : { detail: said.slice(-4000) };
  const who = nameOf(request.candidate.binding);
  switch (ended.by) {
    case "spawn_error":
      return {
        kind: "environment",
        message: `${agent} could not be started: ${ended.message}`,
        mend: `Check the program: ${agent} --version`,
      };
    case "deadline":
    case "idle":
    case "abort":
      return endedByLimit(ended.by, request, replyBytes);
    case "signal":
      return {
        kind: "provider_unknown",
        message: `${agent} was killed by ${ended.signal} from outside, ${replyBytes} bytes of reply received`,
        ...detail,
      };
    case "exit":
    case "overflow":
      break;
  }
  if (/unknown option|unexpected argument|unrecognized (?:option|subcommand)/i.test(said))
    return {
      kind: "environment",
      message: `this ${agent} does not take the options that kit gives it`,
      mend: `Update ${agent}`,
      ...detail,
    };
  const lines = said.split("\n").filter((line) => line.trim() !== "");
  for (const line of lines.slice(-10).reverse()) {
    const failure = classifyProviderError(line.trim(), who, now);
    if (failure.kind !== "provider_unknown") return { ...failure, ...detail };
  }
  const how = ended.by === "exit" ? `exit ${ended.code}` : ended.by;
  return { kind: "provider_unknown", message: `${agent} gave no answer (${how})`, ...detail };
}
