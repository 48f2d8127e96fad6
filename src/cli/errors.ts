import { CommanderError } from "commander";
import { type ExitCode, KitError, type KitErrorKind, type Problem } from "../contracts/index.ts";
import { GitError } from "../lib/git.ts";
import { OddPlaceError } from "../lib/own-place.ts";
import { systemFaultOf } from "../lib/system-faults.ts";

/** An error as the user is told, the same for people and for `--json`. */
export interface ErrorReport {
  readonly exitCode: ExitCode;
  readonly kind: KitErrorKind | "interrupted" | "bug";
  readonly message: string;
  readonly next?: string;
  readonly problems: readonly Problem[];
}

const exitCodes: Readonly<Record<KitErrorKind, ExitCode>> = {
  usage: 2,
  configuration: 2,
  not_found: 2,
  environment: 5,
  conflict: 1,
  no_model: 3,
};

/**
 * Turns whatever ended a command into what the user is told.
 *
 * @param command the command that was asked for, as typed: `kit run`
 */
export function reportOf(error: unknown, signal: AbortSignal, command: string): ErrorReport {
  if (error instanceof KitError) {
    return {
      exitCode: exitCodes[error.kind],
      kind: error.kind,
      message: error.message,
      ...(error.next !== undefined && { next: error.next }),
      problems: error.problems,
    };
  }
  if (error instanceof CommanderError) return usageReport(error, command);
  if (signal.aborted) {
    return { exitCode: 130, kind: "interrupted", message: "Interrupted.", problems: [] };
  }
  return environmentReport(error) ?? bugReport(error);
}

/**
 * Commander writes `error: unknown command 'rum'`, puts the suggestion on a line of its own, and an
 * option's own words behind `error: option '--timeout <time>' argument 'abc' is invalid.`
 */
function usageReport(error: CommanderError, command: string): ErrorReport {
  const [first = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
  const said = first.replace(
    /^option '(?:-\w, )?(--[\w-]+).*?' argument '(.*)' is invalid\. /,
    (_all, option: string, value: string) => `${option} ${JSON.stringify(value)}: `,
  );
  return {
    exitCode: 2,
    kind: "usage",
    message: `${said.charAt(0).toUpperCase()}${said.slice(1).replace(/\.$/, "")}.`,
    next: suggestion?.replace(/^\((.*)\)$/, "$1") ?? usageStep(error, command),
    problems: [],
  };
}

function usageStep({ code }: CommanderError, command: string): string {
  return code === "commander.excessArguments" && command === "kit run"
    ? 'Put the whole task in quotes: kit run "Saving an empty project crashes"'
    : `See: ${command} --help`;
}

function environmentReport(error: unknown): ErrorReport | undefined {
  if (error instanceof OddPlaceError) {
    const next = "Remove it, or move it away, and run kit again";
    return { exitCode: 5, kind: "environment", message: `${error.message}.`, next, problems: [] };
  }
  if (error instanceof GitError) {
    const next = "Look with git status, mend what it says, and run kit again";
    return { exitCode: 5, kind: "environment", message: error.message, next, problems: [] };
  }
  const found = systemFaultOf(error);
  if (found === undefined) return undefined;
  const { path } = error as NodeJS.ErrnoException;
  const message = path === undefined ? `${found.fault}.` : `${found.fault}: ${path}`;
  return { exitCode: 5, kind: "environment", message, next: found.mend, problems: [] };
}

/**
 * A bug of kit ends with 5: no model's fault, and no answer about the change. `KIT_DEBUG=1`
 * shows the stack.
 */
function bugReport(error: unknown): ErrorReport {
  const message = error instanceof Error ? error.message : String(error);
  return {
    exitCode: 5,
    kind: "bug",
    message: `kit failed where it should not: ${firstLine(message)}`,
    next: "Report it to the issues of capkit, with what the same command prints under KIT_DEBUG=1",
    problems: [],
  };
}

/** Why a file that the user named cannot be read: `there is no such file`. */
export function readFault(error: unknown): string {
  const faults: Readonly<Record<string, string>> = {
    ENOENT: "there is no such file",
    ENOTDIR: "there is no such file",
    EISDIR: "it is a folder",
    EACCES: "permission denied",
  };
  if (!(error instanceof Error)) return String(error);
  return faults[(error as NodeJS.ErrnoException).code ?? ""] ?? error.message;
}

function firstLine(text: string): string {
  return text.split("\n", 1).join("");
}

/** The lines for people: message, problems with their places, the next step last. */
export function errorLines(report: ErrorReport): string[] {
  return [
    `kit: ${report.message}`,
    ...report.problems.map((problem) => `  ${problemLine(problem)}`),
    ...(report.next === undefined ? [] : [`next: ${report.next}`]),
  ];
}

/** `file:line:column: warning: key: message (found "value")` */
export function problemLine({ severity, place, key, value, message }: Problem): string {
  const where = [place.file, place.line, place.column].filter((part) => part !== undefined);
  const warning = severity === "warning" ? "warning: " : "";
  const name = key === undefined ? "" : `${key}: `;
  const found = value === undefined ? "" : ` (found ${JSON.stringify(value)})`;
  return `${where.join(":")}: ${warning}${name}${message}${found}`;
}

/** The document of `--json` in case of an error. */
export function errorDocument(report: ErrorReport): Readonly<Record<string, unknown>> {
  const { kind, message, next = null, problems } = report;
  return { error: { kind, message, next, problems } };
}
