import { isAbsolute, join, relative } from "node:path";
import type { Sourced, TestCommand } from "../contracts/index.ts";
import { manifestCommands } from "./manifests.ts";

/** Where test commands may come from; each list holds lines as their writers wrote them. */
export interface TestCommandRequest {
  /** Top level of the repository, absolute, links resolved. */
  readonly root: string;
  /** Folder kit was started in, absolute, inside `root`. */
  readonly startFolder: string;
  /** `--test` lines. */
  readonly flags: readonly string[];
  /** `tests` of the settings, with the layer they came from. */
  readonly settings?: Sourced<readonly string[]>;
  /** Commands of a pack that the user gave with `--pack`: their own, like `--test`. */
  readonly pack?: { readonly file: string; readonly commands: readonly string[] };
}

/**
 * The commands that judge a change. One source wins whole: `--test`, else the pack of `--pack`,
 * else the user's settings, else the manifests of the start folder or of the nearest folder above
 * it, up to the root. Lines run in the start folder, manifest commands in the manifest's.
 * Lines of a project's own settings come along with `trusted: false`: shown, never run.
 */
export async function findTestCommands(
  request: TestCommandRequest,
): Promise<readonly TestCommand[]> {
  const { root, startFolder, flags, settings, pack } = request;
  const untrusted =
    settings?.layer === "project"
      ? lines(
          settings.value,
          startFolder,
          { kind: "project", file: settings.file ?? ".kit" },
          false,
        )
      : [];
  if (flags.some(isCommand)) {
    return [...lines(flags, startFolder, { kind: "flag" }, true), ...untrusted];
  }
  if (pack !== undefined && pack.commands.some(isCommand)) {
    const source = { kind: "pack", file: pack.file } as const;
    return [...lines(pack.commands, startFolder, source, true), ...untrusted];
  }
  if (settings !== undefined && settings.layer !== "project" && settings.value.some(isCommand)) {
    const source = { kind: "settings", file: settings.file ?? "kit.yaml" } as const;
    return lines(settings.value, startFolder, source, true);
  }
  return [...(await manifestCommands(root, startFolder)), ...untrusted];
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

function lines(
  texts: readonly string[],
  cwd: string,
  source: TestCommand["source"],
  trusted: boolean,
): readonly TestCommand[] {
  return texts
    .filter(isCommand)
    .map((text) => ({ command: { shell: text.trim() }, cwd: join(cwd), source, trusted }));
}

function isCommand(text: string): boolean {
  return text.trim() !== "";
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
