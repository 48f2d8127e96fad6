import { statSync } from "node:fs";
import { join } from "node:path";
import {
  type AdapterOptions,
  createAdapters,
  findProgram,
  isSameModel,
} from "../../adapters/index.ts";
import { type AdapterModel, type Binding, KitError } from "../../contracts/index.ts";
import { homeFolder } from "../../lib/home-folder.ts";
import { didYouMean } from "../../lib/nearest-name.ts";

/** What is known of a binding without calling its model. */
export type BindingStanding =
  /** Its adapter lists it, so it has a sign-in; or its program is there and lists nothing. */
  | { readonly state: "known"; readonly said: string; readonly model?: AdapterModel }
  /** It would not answer: no such model, no sign-in, no server. */
  | { readonly state: "dead"; readonly said: string; readonly mend: string }
  /** Its program is missing or broken: a run would not start. */
  | { readonly state: "broken"; readonly said: string; readonly mend: string }
  | { readonly state: "not_checked"; readonly said: string };

/** An adapter that was asked for its models. */
export interface AdapterStanding {
  readonly name: string;
  /** `pi 1.6.0`; absent: it is broken. */
  readonly version?: string;
  readonly models: readonly AdapterModel[];
  readonly broken?: { readonly said: string; readonly mend: string };
}

export interface Standings {
  /** Those that a binding needs, by name. */
  readonly adapters: ReadonlyMap<string, AdapterStanding>;
  /** By backend. */
  readonly bindings: ReadonlyMap<string, BindingStanding>;
  /** Everything that was listed, each once. */
  readonly models: readonly AdapterModel[];
}

export interface StandingRequest extends Pick<AdapterOptions, "env" | "program"> {
  /** By backend. */
  readonly bindings: ReadonlyMap<string, Binding>;
  readonly signal: AbortSignal;
  /** pi is asked even where no binding needs it. */
  readonly all?: boolean;
}

/** Asks the adapters of all bindings what they can call. Spends nothing, calls no model. */
export async function standingsOf(request: StandingRequest): Promise<Standings> {
  const { bindings, signal } = request;
  const usesPi =
    request.all === true || [...bindings.values()].some(({ adapter }) => adapter === "pi");
  // pi is one for all; an endpoint and a program of its own stand for themselves.
  const shared = usesPi ? ["pi"] : [];
  const asked = await Promise.all(shared.map((name) => askAdapter(name, undefined, request)));
  const adapters = new Map(asked.map((each) => [each.name, each]));
  const stood = await Promise.all(
    [...bindings].map(async ([backend, binding]) => {
      const shares = adapters.get(binding.adapter);
      const of = shares ?? (await askAdapter(binding.adapter, binding, request));
      return { backend, of, standing: await standingOf(binding, of, request) };
    }),
  );
  signal.throwIfAborted();
  const listed = [...asked, ...stood.map(({ of }) => of)].flatMap(({ models }) => models);
  return {
    adapters,
    bindings: new Map(stood.map(({ backend, standing }) => [backend, standing])),
    models: [...new Map(listed.map((each) => [`${each.provider}/${each.model}`, each])).values()],
  };
}

async function askAdapter(
  name: string,
  binding: Binding | undefined,
  { env, program, signal }: StandingRequest,
): Promise<AdapterStanding> {
  const bindings = binding === undefined ? [] : [binding];
  const adapter = createAdapters({ env, program, bindings }).get(name);
  if (adapter === undefined) throw new Error(`no adapter ${name}`);
  try {
    const { version } = await adapter.check(signal);
    return { name, version: `${name} ${version}`.trim(), models: await adapter.models(signal) };
  } catch (error) {
    if (!(error instanceof KitError) || signal.aborted) throw error;
    return { name, models: [], broken: { said: error.message, mend: error.next ?? "kit doctor" } };
  }
}

async function standingOf(
  binding: Binding,
  { models, broken, version = "" }: AdapterStanding,
  { env }: StandingRequest,
): Promise<BindingStanding> {
  const { adapter, provider, apiKeyEnv, command } = binding;
  if (apiKeyEnv !== undefined && (env[apiKeyEnv]?.trim() ?? "") === "") {
    const said = `the environment variable ${apiKeyEnv}, which holds its key, is not set`;
    return { state: "dead", said, mend: `export ${apiKeyEnv}=…` };
  }
  // An endpoint that does not answer is its server's fault, and a run goes on with the next.
  if (broken !== undefined) return { state: adapter === "openai" ? "dead" : "broken", ...broken };
  if (adapter === "command") {
    const [program = ""] = command ?? [];
    return (await findProgram(program, env)) === undefined
      ? {
          state: "dead",
          said: `there is no program ${program}`,
          mend: `Install ${program}, or correct command`,
        }
      : { state: "not_checked", said: "its program is there; what it can call was not checked" };
  }
  if (adapter === "claude" || adapter === "codex") return signIn(binding, version, env);
  const found = models.find(
    (each) => each.provider === provider && isSameModel(binding.model, each.model),
  );
  if (found !== undefined) {
    return {
      state: "known",
      said: adapter === "pi" ? "listed by pi, signed in" : "listed by its server",
      model: found,
    };
  }
  return unlisted(binding, models);
}

function unlisted(
  { adapter, provider, model }: Binding,
  models: readonly AdapterModel[],
): BindingStanding {
  const ofProvider = models.filter((each) => each.provider === provider).map((each) => each.model);
  if (ofProvider.length > 0) {
    const said = `${adapter === "pi" ? "pi" : "its server"} does not list ${provider}/${model}${didYouMean(model, ofProvider)}`;
    return {
      state: "dead",
      said,
      mend: "kit models --all shows what there is; kit init --replace proposes anew",
    };
  }
  return adapter === "pi"
    ? {
        state: "dead",
        said: `pi has no sign-in for ${provider}, or does not know it`,
        mend: "Sign in: start pi, then /login",
      }
    : { state: "dead", said: "its server lists no model", mend: "Load a model in it" };
}

/** Where the two keep their sign-in; elsewhere (a keychain) nobody can look. */
const signInPlaces: Readonly<
  Record<string, { folder: string; home: string; file: string; key: RegExp }>
> = {
  claude: {
    folder: "CLAUDE_CONFIG_DIR",
    home: ".claude",
    file: ".credentials.json",
    key: /^(?:ANTHROPIC_API_KEY|ANTHROPIC_AUTH_TOKEN|CLAUDE_CODE_OAUTH_TOKEN)$/,
  },
  codex: {
    folder: "CODEX_HOME",
    home: ".codex",
    file: "auth.json",
    key: /^(?:CODEX_API_KEY|OPENAI_API_KEY)$/,
  },
};

function signIn(
  { adapter, apiKeyEnv }: Binding,
  version: string,
  env: StandingRequest["env"],
): BindingStanding {
  const state = "not_checked";
  if (apiKeyEnv !== undefined)
    return { state, said: `${version}, with a key of its own; not called` };
  return hasSignIn(adapter, env)
    ? { state: "known", said: `${version}, with a sign-in; its models were not checked` }
    : { state, said: `${version}; no sign-in was found in its folder, it may have one elsewhere` };
}

/** True where `claude` or `codex` has left credentials, or the environment holds some. Reads none. */
export function hasSignIn(adapter: string, env: StandingRequest["env"]): boolean {
  const place = signInPlaces[adapter];
  if (place === undefined) return false;
  if (Object.entries(env).some(([name, value]) => place.key.test(name) && Boolean(value)))
    return true;
  const file = join(env[place.folder] ?? join(homeFolder(env), place.home), place.file);
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
