import { constants } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve, win32 } from "node:path";
import { KitError } from "../contracts/index.ts";
import { homeFolder } from "../lib/home-folder.ts";

/** What to spawn for a program: never a shell. */
export interface FoundProgram {
  /** The file that was found, for people and for the version cache. */
  readonly file: string;
  readonly program: string;
  /** In front of the program's own arguments. */
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
 * Finds a program by name on PATH, or by its file; undefined where there is none. A `.js` file is
 * run with the Node that runs kit; on Windows a command shim is read for the script it starts,
 * because a shell would take the arguments apart.
 * @throws KitError `environment` for a command shim that cannot be read.
 */
export async function findProgram(
  name: string,
  env: Environment,
  lookup: ProgramLookup = thisMachine,
): Promise<FoundProgram | undefined> {
  const file = await locate(expandHome(name, env), env, lookup);
  return file === undefined ? undefined : toSpawn(file, lookup);
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

async function toSpawn(file: string, lookup: ProgramLookup): Promise<FoundProgram> {
  if (isScript(file)) return { file, program: lookup.node, args: [file] };
  if (lookup.platform === "win32" && /\.cmd$/i.test(file)) {
    // npm's shim: "%~dp0\node_modules\…\cli.js" %*
    const script = /"%(?:~dp0|dp0%)\\([^"]+\.[cm]?js)"/i.exec(await lookup.read(file))?.[1];
    if (script === undefined)
      throw new KitError("environment", `${file} is not a command shim that kit can read`, {
        next: "Name the script that it starts: C:\\…\\cli.js",
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
