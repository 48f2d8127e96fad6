import type { CommandResult, EnvironmentFault } from "../../contracts/index.ts";
import { commandText } from "../commands/commands.ts";
import { countTests } from "../verdict/counts.ts";
import { endedText, isGreen, signalOfCode } from "../verdict/ended.ts";
import { faultMessages, type FaultMessage } from "./fault-messages.ts";
import { readInstallation, type Installation } from "./installation.ts";
import { boundedLines } from "../verdict/output-lines.ts";
import { denialOf } from "../sandbox/denials.ts";

/**
 * Says whether the environment is why a command is red: it could not be started, its program,
 * script or dependency is missing, the machine ended it. A test that ran and failed is never
 * the environment, whatever its message says (B03 of the public reports).
 * @param results of one tree, in order. @param root absolute top level of the repository.
 */
export async function judgeEnvironment(
  results: readonly CommandResult[],
  root: string,
): Promise<EnvironmentFault | undefined> {
  for (const result of results) {
    if (isGreen(result)) continue;
    const fault = await faultOf(result, root);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

async function faultOf(result: CommandResult, root: string): Promise<EnvironmentFault | undefined> {
  const text = commandText(result.command);
  const { ended } = result;
  if (ended.by === "spawn_error") {
    return {
      cause: `test command cannot be started: ${text} (${ended.message})`,
      mend:
        result.sandbox === undefined
          ? `Install what "${text}" needs, or name another command with --test`
          : "Run the tests without the sandbox: --sandbox off",
      possiblyByChange: false,
    };
  }
  // Memory and supervisors end a process like this; a crash of the code under test does not.
  const signal = ended.by === "signal" ? ended.signal : signalIn(ended);
  if (signal === "SIGKILL" || signal === "SIGTERM" || signal === "SIGHUP") {
    return {
      cause: `test command was ended from outside: ${text} (${endedText(ended)})`,
      mend: "Look for what ended it (memory limits), or narrow it with --test",
      possiblyByChange: true,
    };
  }
  if (ended.by !== "exit" || somePassed(result)) return undefined;
  const installation = await readInstallation(result.command.cwd, root);
  const output = boundedLines(result.output).join("\n");
  for (const row of faultMessages) {
    const fault = read(row, { ...result, output }, ended.code, installation);
    if (fault !== undefined) return fault;
  }
  const denial = denialOf({ ...result, output });
  if (denial === undefined || denial.isOpen === true) return undefined;
  const cause = `${denial.cause}: ${text} (${endedText(ended)})`;
  return { cause, mend: denial.mend, possiblyByChange: true };
}

function read(
  row: FaultMessage,
  result: CommandResult,
  code: number,
  installation: Installation,
): EnvironmentFault | undefined {
  if (row.codes !== undefined && !row.codes.includes(code)) return undefined;
  for (const match of result.output.matchAll(row.pattern)) {
    const missing = match.groups?.["missing"];
    if (row.counts !== undefined && !row.counts(missing ?? "", installation)) continue;
    const text = commandText(result.command);
    return {
      cause: `${row.cause}: ${missing ?? text} (${endedText(result.ended)})`,
      mend: row.mend(missing ?? text, installation),
      possiblyByChange: row.isMachine !== true,
    };
  }
  return undefined;
}

function somePassed(result: CommandResult): boolean {
  if (result.tests?.some(({ status }) => status === "passed") === true) return true;
  const counts = countTests(result.output);
  return counts !== undefined && counts.ran > counts.failed;
}

function signalIn(ended: CommandResult["ended"]): string | undefined {
  return ended.by === "exit" ? signalOfCode(ended.code) : undefined;
}
