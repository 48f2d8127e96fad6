import { isAbsolute, join, resolve } from "node:path";
import { homeFolder } from "./home-folder.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Absolute folder of the user's configuration: `KIT_CONFIG_DIR`, else `$XDG_CONFIG_HOME/kit` (an
 * absolute path, as its specification asks), else `~/.config/kit`. Need not exist.
 */
export function userConfigFolder(env: Environment): string {
  return userFolder(env, "KIT_CONFIG_DIR", "XDG_CONFIG_HOME", ".config");
}

/**
 * Absolute folder of what kit remembers for the user across repositories (trust, spent quota):
 * `KIT_STATE_DIR`, else `$XDG_STATE_HOME/kit`, else `~/.local/state/kit`. Need not exist: whoever
 * writes there creates it, 0700.
 */
export function userStateFolder(env: Environment): string {
  return userFolder(env, "KIT_STATE_DIR", "XDG_STATE_HOME", join(".local", "state"));
}

function userFolder(env: Environment, own: string, xdg: string, atHome: string): string {
  const named = env[own];
  if (named) return resolve(named);
  const base = env[xdg];
  if (base && isAbsolute(base)) return join(base, "kit");
  return join(homeFolder(env), atHome, "kit");
}
