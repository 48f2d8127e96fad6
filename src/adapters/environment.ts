import { homeFolder } from "../lib/home-folder.ts";
import { isSecretName, redact } from "../lib/redaction.ts";
import type { Environment } from "./program.ts";

/** Variables that change what a program prints, or put foreign code into its Node. */
const withheld =
  /^(?:FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLORTERM|NODE_OPTIONS|NODE_REPL_EXTERNAL_MODULE|NODE_DEBUG|NODE_DEBUG_NATIVE|NODE_V8_COVERAGE|NODE_CHANNEL_FD|NODE_CHANNEL_SERIALIZATION_MODE|NODE_UNIQUE_ID|NODE_TEST_CONTEXT|ELECTRON_RUN_AS_NODE|VITEST(?:_.*)?)$/;

/**
 * The environment of a program that carries calls, credentials included. Colour is off, and
 * loopback addresses never go through a proxy, which could not reach them. `HOME` is absolute: the
 * program runs in another folder than kit.
 */
export function plainEnvironment(env: Environment): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(([name]) => !withheld.test(name));
  const direct = [env.NO_PROXY ?? env.no_proxy, "127.0.0.1", "localhost", "::1"];
  const noProxy = direct.filter((entry) => entry !== undefined && entry !== "").join(",");
  return {
    ...Object.fromEntries(kept),
    HOME: homeFolder(env),
    NO_COLOR: "1",
    NO_PROXY: noProxy,
    no_proxy: noProxy,
  };
}

/** A proxy's address may hold a password; without it there is no way out. */
const proxyName = /^(?:https?|all)_proxy$/i;

/**
 * The plain environment without what looks like a credential, by name or value; `named` ones and
 * those of the program's `own` provider stay.
 */
export function environmentWithoutSecrets(
  env: Environment,
  { named = [], own }: { readonly named?: readonly string[] | undefined; readonly own?: RegExp },
): Record<string, string | undefined> {
  const kept = Object.entries(plainEnvironment(env)).filter(
    ([name, value = ""]) =>
      named.includes(name) ||
      own?.test(name) === true ||
      proxyName.test(name) ||
      (!isSecretName(name) && redact(value) === value),
  );
  return Object.fromEntries(kept);
}
