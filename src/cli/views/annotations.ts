import type { Receipt } from "../../runs/index.ts";

/** One message that GitHub shows beside a run or a line of the diff. */
interface Annotation {
  readonly level: "error" | "warning" | "notice";
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
}

/**
 * Workflow commands for the end of a run (https://docs.github.com/actions, "Workflow commands"):
 * its outcome, and what a reviewer found, at the line it was found.
 */
export function annotationLines(receipt: Receipt): string[] {
  return annotationsOf(receipt).map(commandOf);
}

/** Until it is resumed with the token, the runner takes no line for a command. */
export function stopCommands(token: string): string {
  return `::stop-commands::${token}`;
}

/** @param token given to `stopCommands` before */
export function resumeCommands(token: string): string {
  return `::${token}::`;
}

function annotationsOf(receipt: Receipt): Annotation[] {
  const { outcome, exitCode, error, gate, changedFiles, review, notes } = receipt;
  const changed = changedFiles.length === 0 ? "nothing changed" : changedFiles.join(", ");
  const end: Annotation =
    exitCode === 0
      ? {
          level: outcome === "success" ? "notice" : "warning",
          message: `${outcome}: ${gate.change?.summary ?? "untested"} (${changed})`,
        }
      : {
          level: "error",
          message: [outcome, error?.message, error?.next].filter(Boolean).join(": "),
        };
  const findings = (review?.findings ?? []).map(({ severity, file, line, text }): Annotation => ({
    level: severity === "severe" ? "error" : "warning",
    message: text,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
  }));
  const unreviewed: Annotation[] =
    review !== null && review.answered.length === 0
      ? [{ level: "warning", message: "no reviewer answered" }]
      : [];
  const red = notes.filter((note) => note.startsWith("The tests are red before any change"));
  return [
    end,
    ...findings,
    ...unreviewed,
    ...red.map((message): Annotation => ({ level: "warning", message })),
  ];
}

function commandOf({ level, message, file, line }: Annotation): string {
  const properties = [
    "title=kit",
    ...(file === undefined ? [] : [`file=${escapedProperty(file)}`]),
    ...(line === undefined ? [] : [`line=${line}`]),
  ];
  return `::${level} ${properties.join(",")}::${escapedData(message)}`;
}

function escapedData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
