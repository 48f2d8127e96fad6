import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { homeFolder } from "../../lib/home-folder.ts";
import { isSecretFile, redact } from "../../lib/redaction.ts";
import { userConfigFolder, userStateFolder } from "../../lib/user-folders.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Something tests must not read, links resolved; `standIn` is what they read instead. */
export type SecretPlace =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "file"; readonly path: string; readonly standIn: string };

/** Folders below the home that hold credentials, sessions or messages. */
const folders = (
  ".ssh .aws .azure .gnupg .kube .docker .oci .pi .claude .codex .gemini .password-store " +
  ".terraform.d .fly .railway .wrangler .supabase .electrum .bitcoin .ethereum .subversion/auth " +
  ".mozilla .thunderbird .config/gh .config/hub .config/gcloud .config/op .config/sops " +
  ".config/rclone .config/doctl .config/heroku .config/configstore .config/netlify .config/vercel " +
  ".config/google-chrome .config/chromium .config/opencode .local/share/opencode " +
  ".local/share/keyrings .local/share/kwalletd .local/share/com.vercel.cli"
).split(" ");

/** Files there that no name of a secret file tells. */
const files = (
  ".bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history " +
  ".rediscli_history .sqlite_history .local/share/fish/fish_history .config/git/credentials " +
  ".cargo/credentials .cargo/credentials.toml .gem/credentials .composer/auth.json " +
  ".config/composer/auth.json"
).split(" ");

/** Configuration that tools cannot do without, some of which holds a password. */
const mixedFiles = (
  ".m2/settings.xml .gradle/gradle.properties .bundle/config .pip/pip.conf .config/pip/pip.conf " +
  ".config/NuGet/NuGet.Config .nuget/NuGet/NuGet.Config .cargo/config.toml .gitconfig " +
  ".config/git/config .yarnrc .yarnrc.yml .condarc"
).split(" ");

/** Readable for root alone, which kit may run as. */
const systemFiles = ["/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-"];

/** Variables that move one of the places above. */
const movedFolders =
  "PI_CODING_AGENT_DIR GNUPGHOME GH_CONFIG_DIR CLOUDSDK_CONFIG DOCKER_CONFIG AZURE_CONFIG_DIR".split(
    " ",
  );
const movedFiles = (
  "AWS_SHARED_CREDENTIALS_FILE AWS_CONFIG_FILE KUBECONFIG NETRC PGPASSFILE NPM_CONFIG_USERCONFIG " +
  "npm_config_userconfig GOOGLE_APPLICATION_CREDENTIALS"
).split(" ");

/** Entries of one folder that are looked at by name. */
const maxEntries = 2000;

/**
 * Every place with credentials of this user that exists: fixed ones, files with the name of a
 * secret file in the home and in `~/.config`, and kit's own folders of configuration and state.
 * Files that only may hold a password stand in with it masked, the others empty.
 */
export function secretPlaces(env: Environment): readonly SecretPlace[] {
  const home = homeFolder(env);
  const atHome = (paths: readonly string[]): string[] => paths.map((path) => join(home, path));
  const named = (names: readonly string[]): string[] =>
    names.flatMap((name) => [env[name] ?? ""]).filter(isAbsolute);
  const config = env["XDG_CONFIG_HOME"] ?? join(home, ".config");
  const found = new Map<string, SecretPlace>();
  const add = (place: SecretPlace | undefined): void => {
    if (place !== undefined) found.set(place.path, place);
  };
  for (const path of atHome(mixedFiles)) add(mixed(path));
  const likely = [home, config, ...foldersIn(config)].flatMap((folder) => secretFilesIn(folder));
  for (const path of [...atHome(files), ...likely, ...systemFiles, ...named(movedFiles)]) {
    add(whole(path));
  }
  const own = [userConfigFolder(env), userStateFolder(env)];
  for (const path of [...atHome(folders), ...named(movedFolders), ...own]) add(whole(path));
  return [...found.values()];
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
