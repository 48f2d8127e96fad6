import type { ExitCode } from "../contracts/index.ts";
import { codeOf } from "../lib/files.ts";
import { systemFaultOf } from "../lib/system-faults.ts";
import { errorLines } from "./errors.ts";
import type { Io } from "./io.ts";

/** A reader that left wants no more: that is no fault (`kit runs | head -1`). */
const leaving: ReadonlySet<string> = new Set(["EPIPE", "ECONNRESET"]);

/**
 * Says that output did not reach its file, as on a full disk: whoever reads the file must not take
 * a part for all of it.
 *
 * @param what `stdout`
 * @param error what the stream failed with; undefined where all is written
 * @param exitCode how the command ended: 0 becomes 5, anything else stands
 */
export function exitAfter(what: string, error: unknown, exitCode: ExitCode, io: Io): ExitCode {
  if (!(error instanceof Error) || leaving.has(codeOf(error) ?? "")) return exitCode;
  const { fault } = systemFaultOf(error) ?? { fault: error.message };
  const code = codeOf(error);
  const why = `${fault.charAt(0).toLowerCase()}${fault.slice(1)}${code === undefined ? "" : ` (${code})`}`;
  const lines = errorLines({
    exitCode: 5,
    kind: "environment",
    message: `${what} could not be written: ${why}.`,
    next: "Send it to a file with room; what a run did is in its records: kit show",
    problems: [],
  });
  io.stderr.write(`${lines.join("\n")}\n`);
  return exitCode === 0 ? 5 : exitCode;
}
