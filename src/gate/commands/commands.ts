import { isAbsolute, join, relative } from "node:path";
import type { Sourced, TestCommand } from "../../contracts/index.ts";
import { manifestCommands } from "./manifests.ts";

/** Where test commands may come from; each list holds lines as their writers wrote them. */
export interface TestCommandRequest {
  /** Top level of the repository, absolute, links resolved. */
  readonly root: string;
  /** Folder kit was started in, absolute, inside `root`. */
  readonly startFolder: string;
  /** `--test` lines. */
  readonly flags: readonly string[];
  /** `test_commands` of the settings: the user's, or those of a project that the user trusts. */
  readonly settings?: Sourced<readonly string[]>;
  /** `test_commands` of the project's own settings, trusted or not. */
  readonly project?: Sourced<readonly string[]>;
  /** Commands of a pack: a model may have written them, whoever gives it. */
  readonly pack?: { readonly file: string; readonly commands: readonly string[] };
  /** Command texts the user said yes to, word for word. */
  readonly allowed?: ReadonlySet<string>;
}

/**
 * The commands that judge a change. One source wins whole: `--test`, else the pack of `--pack`,
 * else the settings, else the manifests of the start folder or of the nearest folder above it, up
 * to the root. Lines run in the start folder, manifest commands in the manifest's.
 * What a pack or an untrusted project names runs only where the user said yes to that very
 * command, or where settings or manifests name it too; the rest comes along with `trusted: false`:
 * shown, never run.
 */
export async function findTestCommands(
  request: TestCommandRequest,
): Promise<readonly TestCommand[]> {
  const { startFolder, flags } = request;
  const flagged = lines(flags, startFolder, { kind: "flag" }, () => true);
  const project = projectLines(request);
  if (flagged.length > 0) return [...flagged, ...project.filter(isShown(flagged))];
  const known = await knownCommands(request, project);
  const pack = packLines(request).map(
    (line) => known.find((each) => commandText(each) === commandText(line)) ?? line,
  );
  const packed = pack.filter(({ trusted }) => trusted);
  const running = packed.length > 0 ? packed : known;
  return [...running, ...[...pack, ...project].filter(isShown(running))];
}

/** Settings, else lines of the project that the user agreed to, else manifests. */
async function knownCommands(
  { root, startFolder, settings }: TestCommandRequest,
  project: readonly TestCommand[],
): Promise<readonly TestCommand[]> {
  const kind = settings?.layer === "project" ? "project" : "settings";
  const source = { kind, file: settings?.file ?? "kit.yaml" } as const;
  const named = lines(settings?.value ?? [], startFolder, source, () => true);
  if (named.length > 0) return named;
  const agreed = project.filter(({ trusted }) => trusted);
  return agreed.length > 0 ? agreed : manifestCommands(root, startFolder);
}

/** Only named by somebody else, and not what runs anyway. */
function isShown(running: readonly TestCommand[]): (command: TestCommand) => boolean {
  const texts = new Set(running.map(commandText));
  return (command) => !command.trusted && !texts.has(commandText(command));
}

/** A command as a person would type it. */
export function commandText({ command }: Pick<TestCommand, "command">): string {
  return "shell" in command ? command.shell : command.argv.map(quoted).join(" ");
}

/** Where a command came from, for people: `package.json`, `--test`, `proposed by the scout`. */
export function sourceText(command: TestCommand, root: string): string {
  const { source } = command;
  if (source.kind === "flag") return "--test";
  if (source.kind === "scout") return "proposed by the scout";
  const file = isAbsolute(source.file) ? relative(root, source.file) : source.file;
  return file === "" || file.startsWith("..") ? source.file : file;
}

/** The folder a command runs in, relative to the root; `.` for the root itself. */
export function folderText(command: TestCommand, root: string): string {
  return relative(root, command.cwd) || ".";
}

function packLines({ pack, startFolder, allowed }: TestCommandRequest): readonly TestCommand[] {
  if (pack === undefined) return [];
  const source = { kind: "pack", file: pack.file } as const;
  return lines(pack.commands, startFolder, source, (text) => allowed?.has(text) === true);
}

function projectLines({
  project,
  settings,
  startFolder,
  allowed,
}: TestCommandRequest): readonly TestCommand[] {
  // Once the layer is trusted, its lines are the settings'.
  if (project === undefined || settings?.layer === "project") return [];
  const source = { kind: "project", file: project.file ?? ".kit" } as const;
  return lines(project.value, startFolder, source, (text) => allowed?.has(text) === true);
}

function lines(
  texts: readonly string[],
  cwd: string,
  source: TestCommand["source"],
  isTrusted: (text: string) => boolean,
): readonly TestCommand[] {
  return texts.filter(isCommand).map((written) => {
    const text = written.trim();
    return { command: { shell: text }, cwd: join(cwd), source, trusted: isTrusted(text) };
  });
}

function isCommand(text: string): boolean {
  return text.trim() !== "";
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
