import { mkdir, readFile, realpath, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { KitError } from "../../contracts/index.ts";
import { stripColour } from "../../lib/text.ts";
import { runProcess } from "../../lib/processes/index.ts";
import type { Environment, FoundProgram } from "../program.ts";

/** Three numbers, compared in order. */
export type PiVersion = readonly [major: number, minor: number, patch: number];

/** The oldest pi whose behaviour was measured. */
const oldest: PiVersion = [0, 73, 0];

/** A wrapper script does not change when the pi behind it does; so no answer is kept longer. */
const cacheMaxAgeMs = 24 * 60 * 60 * 1000;

const update = "Update it: npm install -g @earendil-works/pi-coding-agent";

/** True when `version` is `minimum` or newer. */
export function atLeast(version: PiVersion, minimum: PiVersion): boolean {
  for (const [index, part] of minimum.entries()) {
    const own = version[index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}

export interface VersionRequest {
  readonly pi: FoundProgram;
  readonly env: Environment;
  /** Folder that the answer is kept in (`versions.json`). */
  readonly cacheFolder: string;
  readonly now: () => number;
  readonly signal?: AbortSignal;
}

/**
 * The version of a pi program, by `pi --version` (0.24 to 0.9 s), kept per program file by its
 * real path, modification time and size. Both output streams are read: pi before 0.79.1 prints
 * its version on stderr.
 * @throws KitError `environment` when it does not run, says no version, or is too old; the
 * signal's reason where that stopped it.
 */
export async function detectVersion(request: VersionRequest): Promise<PiVersion> {
  const { pi, cacheFolder, now } = request;
  const cacheFile = join(cacheFolder, "versions.json");
  const key = await fileKey(pi.args.at(-1) ?? pi.program);
  const known = (await readCache(cacheFile))[key];
  if (known !== undefined && now() - known.at < cacheMaxAgeMs && now() >= known.at) {
    const version = parseVersion(known.version);
    if (version) return version;
  }
  const version = await askVersion(request);
  await remember(cacheFile, key, { version: version.join("."), at: now() });
  return version;
}

/** Forgets a program's version: its flags turned out not to be what the version promised. */
export async function forgetVersion({ pi, cacheFolder }: VersionRequest): Promise<void> {
  await remember(
    join(cacheFolder, "versions.json"),
    await fileKey(pi.args.at(-1) ?? pi.program),
    undefined,
  );
}

async function askVersion({ pi, env, cacheFolder, signal }: VersionRequest): Promise<PiVersion> {
  const { ended, stdout, stderr } = await runProcess({
    program: pi.program,
    args: [...pi.args, "--version"],
    cwd: cacheFolder,
    env,
    timeoutMs: 30_000,
    label: "pi",
    ...(signal === undefined ? {} : { signal }),
  });
  // However it ended: Ctrl-C reaches pi too, and an end by it says nothing about pi.
  signal?.throwIfAborted();
  const said = stripColour(`${stdout.toString("utf8")}\n${stderr}`).trim();
  const version = parseVersion(said);
  if (ended.by === "exit" && ended.code === 0 && version) {
    if (atLeast(version, oldest)) return version;
    throw new KitError(
      "environment",
      `pi ${version.join(".")} is too old; kit needs 0.73 or newer`,
      {
        next: update,
      },
    );
  }
  if (/SyntaxError/.test(said))
    throw new KitError("environment", `${pi.file} does not run on the Node that PATH names first`, {
      next: "Put Node 22.19 or newer first on PATH",
    });
  const how =
    ended.by === "exit" ? `exit ${ended.code}` : ended.by === "spawn_error" ? ended.code : ended.by;
  throw new KitError(
    "environment",
    `${pi.file} does not say its version (${how}): ${said.slice(0, 300)}`,
    {
      next: `Try: ${pi.file} --version`,
    },
  );
}

/** The first line that is a version and nothing else, or the first version anywhere. */
function parseVersion(text: string): PiVersion | undefined {
  const found = /^v?(\d+)\.(\d+)\.(\d+)\S*$/m.exec(text) ?? /\b(\d+)\.(\d+)\.(\d+)\b/.exec(text);
  return found ? [Number(found[1]), Number(found[2]), Number(found[3])] : undefined;
}

interface Remembered {
  readonly version: string;
  readonly at: number;
}

async function fileKey(file: string): Promise<string> {
  try {
    const real = await realpath(file);
    const { mtimeMs, size } = await stat(real);
    return `${real} ${mtimeMs} ${size}`;
  } catch {
    return file;
  }
}

async function readCache(file: string): Promise<Record<string, Remembered | undefined>> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Record<string, Remembered | undefined>;
  } catch {
    // Absent, or torn by another kit process: it is only a cache.
    return {};
  }
}

async function remember(file: string, key: string, value: Remembered | undefined): Promise<void> {
  const cache = { ...(await readCache(file)), [key]: value };
  const temporary = `${file}.${process.pid}`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(temporary, JSON.stringify(cache), { mode: 0o600 });
    await rename(temporary, file);
  } catch {
    // A cache that cannot be written costs the next call a second, nothing else.
  }
}
