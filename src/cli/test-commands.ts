import { seenStore } from "../config/index.ts";
import type { TestCommand } from "../contracts/index.ts";
import {
  commandText,
  findTestCommands,
  manifestScript,
  type ManifestScript,
} from "../gate/index.ts";
import { redact } from "../lib/redaction.ts";
import { userStateFolder } from "../lib/user-folders.ts";
import type { Io } from "./io.ts";
import type { Project } from "./project.ts";
import { printable } from "./views/printable.ts";

/** A manifest's command with what it runs now, and what is known of it. */
export interface KnownScript extends ManifestScript {
  readonly command: TestCommand;
  /** What the user trusted; absent: nothing was. */
  readonly trusted?: string;
  /** What kit ran the last time; absent: it never did. */
  readonly seen?: string;
}

/** The commands that judge a change, and what a person should know of them before they run. */
export interface FoundCommands {
  readonly testCommands: readonly TestCommand[];
  readonly scripts: readonly KnownScript[];
  /** One sentence each, also of what else a person should know before anything runs. */
  readonly warnings: readonly string[];
}

/** Where commands may come from beside configuration and manifests. */
export interface GivenCommands {
  /** `--test` lines. */
  readonly flags: readonly string[];
  readonly pack?: { readonly file: string; readonly commands: readonly string[] };
}

/**
 * Finds the test commands of a project and holds them against the user's trust: a manifest's
 * command runs, unless the user trusted it and it is another one now. Starts and writes nothing.
 */
export async function findCommands(
  project: Project,
  given: GivenCommands,
  io: Io,
): Promise<FoundCommands> {
  const { root, folder, settings, projectCommands, layer } = project;
  const found = await findTestCommands({
    root,
    startFolder: folder,
    flags: given.flags,
    settings: settings.testCommands,
    ...(projectCommands !== undefined && { project: projectCommands }),
    ...(given.pack !== undefined && { pack: given.pack }),
    allowed: new Set(layer.record?.commands.map(({ command }) => command)),
  });
  const seen = await seenStore(userStateFolder(io.env)).read(root);
  const scripts = await Promise.all(
    found.map(async (command): Promise<KnownScript | undefined> => {
      const script = await manifestScript(command, root);
      if (script === undefined) return undefined;
      const trusted = own(layer.record?.scripts, script.manifest);
      const ran = own(seen?.scripts, script.manifest);
      return {
        ...script,
        command,
        ...(trusted !== undefined && { trusted }),
        ...(ran !== undefined && { seen: ran }),
      };
    }),
  );
  const known = scripts.filter((script) => script !== undefined);
  const changed = new Set(known.filter(hasChanged).map(({ command }) => command));
  return {
    testCommands: found.map((each) => (changed.has(each) ? { ...each, trusted: false } : each)),
    scripts: known,
    warnings: [
      ...(project.gitFault === undefined ? [] : [project.gitFault]),
      ...known.flatMap(warningOf),
    ],
  };
}

/** Whether the user trusted another script than the manifest has now. */
export function hasChanged({ trusted, text }: KnownScript): boolean {
  return trusted !== undefined && trusted !== text;
}

/** A script as one line for people. */
export function scriptText(text: string): string {
  const line = printable(redact(text).replaceAll(/\s+/g, " ").trim());
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

/** Remembers what is about to run, so that the next run can say what changed. */
export async function rememberScripts(
  { root }: Pick<Project, "root">,
  scripts: readonly KnownScript[],
  io: Io,
): Promise<void> {
  const running = scripts.filter((script) => !hasChanged(script));
  if (running.every(({ seen, text }) => seen === text)) return;
  const store = seenStore(userStateFolder(io.env));
  const before = await store.read(root);
  const now = Object.fromEntries(running.map(({ manifest, text }) => [manifest, text]));
  // A help that cannot be kept (a read-only home) is no reason not to work.
  await store.write({ root, scripts: { ...before?.scripts, ...now } }).catch(() => undefined);
}

function warningOf(script: KnownScript): readonly string[] {
  const { command, manifest, text, trusted, seen } = script;
  const name = `${commandText(command)} of ${manifest}`;
  const now = scriptText(text);
  if (trusted !== undefined && trusted !== text) {
    return [
      `${name} is not what you trusted (${scriptText(trusted)}): it is ${now}, and does not run until you trust it: kit trust`,
    ];
  }
  return seen === undefined || seen === text || trusted === text
    ? []
    : [`${name} changed since kit last ran it: it was ${scriptText(seen)}, it is ${now}`];
}

function own(
  record: Readonly<Record<string, string>> | undefined,
  key: string,
): string | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
