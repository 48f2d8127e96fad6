import { constants } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve, win32 } from "node:path";
import { KitError } from "../../contracts/index.ts";
import { homeFolder } from "../../lib/home-folder.ts";

/** What to spawn for pi: never a shell. */
export interface PiProgram {
  /** The file that was found, for people and for the version cache. */
  readonly file: string;
  readonly program: string;
  /** In front of pi's own arguments. */
  readonly args: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a program may be found; passed in, so that Windows rules are tested anywhere. */
export interface ProgramLookup {
  readonly platform: NodeJS.Platform;
  /** True when the file exists and may be run. */
  isProgram(file: string): Promise<boolean>;
  /** Text of a small file; used for Windows command shims only. */
  read(file: string): Promise<string>;
  /** The Node that runs kit; it runs `.js` programs and what shims name. */
  readonly node: string;
}

const install = "Install it: npm install -g @earendil-works/pi-coding-agent";

/** This machine's files. */
export const thisMachine: ProgramLookup = {
  platform: process.platform,
  node: process.execPath,
  async isProgram(file) {
    try {
      await access(file, constants.X_OK);
      return (await stat(file)).isFile();
    } catch {
      return false;
    }
  },
  read: (file) => readFile(file, "utf8"),
};

/**
 * Finds pi: the user's setting `adapters.pi.program`, then `KIT_PI`, then `pi` on PATH. A
 * `.js` file is run with the Node that runs kit; on Windows a command shim is read for the
 * script it starts, because a shell would take the arguments apart.
 * @throws KitError `environment` when there is none, with the command that installs it.
 */
export async function findPi(
  setting: string | undefined,
  env: Environment,
  lookup: ProgramLookup = thisMachine,
): Promise<PiProgram> {
  const named = [
    { value: setting, from: "the setting adapters.pi.program" },
    { value: env.KIT_PI, from: "KIT_PI" },
  ].find(({ value }) => value !== undefined && value.trim() !== "");
  if (named?.value !== undefined) {
    const file = await locate(expandHome(named.value, env), env, lookup);
    if (file === undefined)
      throw new KitError(
        "environment",
        `${named.from} names ${named.value}, which is not a program`,
        {
          next: `Correct ${named.from}, or unset it to use pi from PATH`,
        },
      );
    return toSpawn(file, lookup);
  }
  const file = await locate("pi", env, lookup);
  if (file === undefined)
    throw new KitError("environment", "pi is not installed or not on PATH", { next: install });
  return toSpawn(file, lookup);
}

/** A name is looked up on PATH; anything with a separator is a file. Scripts need no execute bit. */
async function locate(
  name: string,
  env: Environment,
  lookup: ProgramLookup,
): Promise<string | undefined> {
  const windows = lookup.platform === "win32";
  if (/[/\\]/.test(name)) {
    const file = windows ? name : resolve(name);
    return isScript(file) || (await lookup.isProgram(file)) ? file : undefined;
  }
  const path = (windows ? (env.Path ?? env.PATH) : env.PATH) ?? "";
  const names = windows ? [`${name}.exe`, `${name}.cmd`] : [name];
  for (const folder of path.split(windows ? ";" : delimiter)) {
    // An empty or relative entry means the current folder, which may be a stranger's repository.
    if (!(windows ? win32.isAbsolute(folder) : isAbsolute(folder))) continue;
    for (const candidate of names) {
      const file = windows ? win32.join(folder, candidate) : join(folder, candidate);
      if (await lookup.isProgram(file)) return file;
    }
  }
  return undefined;
}

async function toSpawn(file: string, lookup: ProgramLookup): Promise<PiProgram> {
  if (isScript(file)) return { file, program: lookup.node, args: [file] };
  if (lookup.platform === "win32" && /\.cmd$/i.test(file)) {
    // npm's shim: "%~dp0\node_modules\…\cli.js" %*
    const script = /"%(?:~dp0|dp0%)\\([^"]+\.[cm]?js)"/i.exec(await lookup.read(file))?.[1];
    if (script === undefined)
      throw new KitError("environment", `${file} is not a command shim that kit can read`, {
        next: "Name pi's script: KIT_PI=C:\\…\\cli.js",
      });
    return { file, program: lookup.node, args: [win32.join(win32.dirname(file), script)] };
  }
  return { file, program: file, args: [] };
}

function isScript(file: string): boolean {
  return /\.[cm]?js$/i.test(file);
}

function expandHome(file: string, env: Environment): string {
  return file.startsWith("~/") ? join(homeFolder(env), file.slice(2)) : file;
}
