import {
  createClaudeAdapter,
  createCodexAdapter,
  createPiAdapter,
  isSameModel,
} from "../../adapters/index.ts";
import { type Adapter, type AdapterModel, KitError } from "../../contracts/index.ts";
import { isOwnNetwork } from "../../lib/hosts.ts";
import { hasSignIn } from "./binding-standing.ts";
import { type HeardEndpoint, hearEndpoints, type LocalEndpoint } from "./local-endpoints.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A model that something on this machine can call. */
export interface FoundModel extends AdapterModel {
  readonly adapter: string;
  /** It runs on this machine or in its own network, and nobody bills it. */
  readonly isLocal: boolean;
}

/** Who was asked for models, and what came of it. */
export interface Finding {
  /** `pi 1.6.0`, `ollama` */
  readonly name: string;
  /** One line for people. */
  readonly said: string;
  readonly models: readonly FoundModel[];
  /** What would make it of use; absent: it is. */
  readonly next?: string;
}

export interface SearchRequest {
  readonly env: Environment;
  /** The setting `adapters.pi.program`. */
  readonly piProgram: string | undefined;
  readonly endpoints: readonly LocalEndpoint[];
  readonly signal: AbortSignal;
}

/**
 * Asks pi, the model servers of this machine and other agents' programs what they can call. Starts
 * programs of the user's PATH alone, contacts no other machine, spends nothing.
 */
export async function findModels(request: SearchRequest): Promise<readonly Finding[]> {
  const { endpoints, env, signal } = request;
  const [pi, heard, claude, codex] = await Promise.all([
    findInPi(request),
    hearEndpoints(endpoints, env, signal),
    findClaude(env, signal),
    findCodex(env, signal),
  ]);
  const known = pi.models;
  return [pi, ...heard.map((each) => findingOf(each, known)), ...claude, ...codex];
}

async function findInPi({ env, piProgram, signal }: SearchRequest): Promise<Finding> {
  const adapter = createPiAdapter({ env, program: piProgram });
  try {
    const { version } = await adapter.check(signal);
    const listed = await adapter.models(signal);
    const models = listed.map((model) => ({ ...model, adapter: "pi", isLocal: isLocal(model) }));
    return {
      name: `pi ${version}`,
      said: models.length === 0 ? "it is signed in nowhere" : modelCount(models.length),
      models,
      ...(models.length === 0 && {
        next: "Sign in to a provider: start pi, then /login; or write its models.json",
      }),
    };
  } catch (error) {
    if (!(error instanceof KitError) || signal.aborted) throw error;
    return { name: "pi", said: error.message, models: [], next: error.next ?? "See: pi --version" };
  }
}

/** A price means that somebody bills it, wherever its address is. */
function isLocal({ baseUrl, price }: AdapterModel): boolean {
  if (price !== undefined || baseUrl === undefined || !URL.canParse(baseUrl)) return false;
  return isOwnNetwork(new URL(baseUrl).hostname);
}

/** What pi lists of the same server is called through pi. */
function findingOf(heard: HeardEndpoint, ofPi: readonly FoundModel[]): Finding {
  const { provider, baseUrl, models, fault, isGateway } = heard;
  if (fault !== undefined) {
    const next = "Bind it by hand, with api_key_env: docs/adapters.md";
    return { name: provider, said: `${fault} (${baseUrl})`, models: [], next };
  }
  const isInPi = ({ model }: AdapterModel): boolean =>
    ofPi.some((each) => isSameServer(each.baseUrl, baseUrl) && isSameModel(each.model, model));
  const own = models.filter((model) => !isInPi(model));
  return {
    name: provider,
    said: `${modelCount(models.length)} at ${baseUrl}${own.length < models.length ? ", known to pi" : ""}`,
    models: own.map((model) => ({ ...model, adapter: "openai", isLocal: isGateway !== true })),
  };
}

function isSameServer(one: string | undefined, other: string): boolean {
  if (one === undefined || !URL.canParse(one)) return false;
  return new URL(one).port === new URL(other).port && isOwnNetwork(new URL(one).hostname);
}

/** The names that Claude Code itself gives its models (`claude --help`, `--model`). */
const claudeNames = ["haiku", "sonnet", "opus"];

async function findClaude(env: Environment, signal: AbortSignal): Promise<Finding[]> {
  const version = await versionOf(createClaudeAdapter({ env }), signal);
  if (version === undefined) return [];
  const name = `claude ${version}`;
  if (!hasSignIn("claude", env)) {
    const next = "Sign in: start claude, then /login";
    return [{ name, said: "no sign-in was found", models: [], next }];
  }
  const models = claudeNames.map((model) => {
    return { adapter: "claude", provider: "anthropic", model, isLocal: false };
  });
  return [{ name, said: `signed in; knows ${claudeNames.join(", ")}`, models }];
}

async function findCodex(env: Environment, signal: AbortSignal): Promise<Finding[]> {
  const version = await versionOf(createCodexAdapter({ env }), signal);
  if (version === undefined) return [];
  const next = "Bind a model of it by hand: docs/adapters.md";
  return [{ name: `codex ${version}`, said: "it cannot list its models", models: [], next }];
}

/** Undefined where it is not installed, or does not run. */
async function versionOf(adapter: Adapter, signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await adapter.check(signal)).version;
  } catch (error) {
    if (!(error instanceof KitError) || signal.aborted) throw error;
    return undefined;
  }
}

function modelCount(count: number): string {
  return count === 1 ? "1 model" : `${count} models`;
}
