import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { homeFolder } from "../../lib/home-folder.ts";
import { isSecretFile, redact } from "../../lib/redaction.ts";
import { userConfigFolder, userStateFolder } from "../../lib/user-folders.ts";
import {
  credentialFiles,
  credentialFolders,
  credentialVariables,
  mixedFiles,
  movedPlaces,
  systemFiles,
} from "./credential-list.ts";
import { isWithin } from "./mounts.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Something tests must not read, links resolved; `standIn` is what they read instead. */
export type SecretPlace =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "file"; readonly path: string; readonly standIn: string };

/** Entries of one folder that are looked at by name. */
const maxEntries = 2000;

/**
 * Every place with credentials of this user that exists: fixed ones, files with the name of a
 * secret file in the home and in `~/.config`, and kit's own folders of configuration and state.
 * Files that only may hold a password stand in with it masked, the others empty.
 */
export function secretPlaces(env: Environment): readonly SecretPlace[] {
  const home = homeFolder(env);
  const placesOf = (paths: readonly string[]): string[] =>
    paths.flatMap((path) => [join(home, path), ...movedTo(path, env)]);
  const found = new Map<string, SecretPlace>();
  const realHome = realPath(home) ?? home;
  const add = (place: SecretPlace | undefined): void => {
    // A variable that names the home, or what holds it, would take all of it away.
    if (place !== undefined && !isWithin(realHome, place.path)) found.set(place.path, place);
  };
  for (const path of placesOf(mixedFiles)) add(mixed(path));
  const configs = placesOf([".config"]);
  const likely = [home, ...configs, ...configs.flatMap(foldersIn)].flatMap(secretFilesIn);
  const named = credentialVariables.flatMap((name) => (env[name] ?? "").split(delimiter));
  const files = [...placesOf(credentialFiles), ...likely, ...systemFiles];
  for (const path of [...files, ...named.filter(isAbsolute)]) add(whole(path));
  const own = [userConfigFolder(env), userStateFolder(env)];
  for (const path of [...placesOf(credentialFolders), ...own]) add(whole(path));
  return [...found.values()];
}

/** Where variables put a place that usually is at `path` below the home. */
function movedTo(path: string, env: Environment): string[] {
  return movedPlaces.flatMap(([place, variable]) => {
    const base = env[variable];
    if (base === undefined || !isAbsolute(base)) return [];
    if (path === place) return [base];
    return path.startsWith(`${place}/`) ? [join(base, path.slice(place.length + 1))] : [];
  });
}

function whole(path: string): SecretPlace | undefined {
  const real = realPath(path);
  const stats = real === undefined ? undefined : statSync(real, { throwIfNoEntry: false });
  if (real === undefined || stats === undefined) return undefined;
  if (stats.isDirectory()) return { kind: "folder", path: real };
  const standIn = real.endsWith(".json") ? "{}\n" : "";
  return stats.isFile() ? { kind: "file", path: real, standIn } : undefined;
}

/** Only where it holds something that is masked. */
function mixed(path: string): SecretPlace | undefined {
  const real = realPath(path);
  try {
    if (real === undefined || !statSync(real).isFile()) return undefined;
    const text = readFileSync(real, "utf8");
    const standIn = redact(text)
      .replaceAll(/(npmAuth(?:Token|Ident)["']?:[ \t]*)\S.*/g, "$1[redacted]")
      .replaceAll(/(<(?:password|passphrase|privateKey)>)[^<]+/gi, "$1[redacted]")
      .replaceAll(/(key="[^"]*password"\s+value=")[^"]+/gi, "$1[redacted]");
    return standIn === text ? undefined : { kind: "file", path: real, standIn };
  } catch {
    return undefined;
  }
}

function secretFilesIn(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => join(folder, name))
    .filter(isSecretFile);
}

function foldersIn(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).slice(0, maxEntries);
  } catch {
    return [];
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
