/**
 * Which tests ran, and what became of each? Asks a command's runner for a report, without a trace
 * in the repository, and reads it. It leaves to others: running the command (the workspace), and
 * what the tests mean (`compare`).
 */
import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandResult, RunOptions, TestCase, TestCommand } from "../../contracts/index.ts";
import { isInside } from "../../lib/files.ts";
import { formatOf } from "./output-formats.ts";
import { environmentFileSecrets, hideValues } from "../running/environment-files.ts";
import { joinReadings, type ReportedTest, type Reader, type Reading } from "./reading.ts";
import { recognise } from "./recognise.ts";
import { reportsBelow, reportsIn } from "./report-files.ts";
import type { Runner } from "./runners.ts";
import { scriptsFor } from "./scripts.ts";
import { testCases } from "./test-cases.ts";

/** The workspace's `run`. */
type Run = (command: TestCommand, options: RunOptions) => Promise<CommandResult>;

/**
 * Runs a command and says its tests where its runner can. The runner is asked through variables
 * or words at the end of its command, for a report in a private folder outside of the repository;
 * one that does not know what it was asked runs again unasked. What cannot be asked is read from
 * the output, where that is in a known format.
 * @param root absolute top level of the repository, links resolved.
 */
export async function runWithReport(
  command: TestCommand,
  options: RunOptions,
  root: string,
  run: Run,
): Promise<CommandResult> {
  const found = recognise(command, await scriptsFor(command.cwd, root));
  if (found === undefined) return withOutputTests(await run(command, options), root);
  const { runner, withWords } = found;
  const isAskable = runner.ask.by !== "arguments" || withWords !== undefined;
  const folder = isAskable ? await reportFolder(root) : undefined;
  if (folder === undefined) return withOutputTests(await run(command, options), root);
  try {
    const startedMs = (await stat(folder)).mtimeMs;
    for (const [name, text] of Object.entries(runner.puts?.(options.env) ?? {})) {
      await writeFile(join(folder, name), text);
    }
    const { ask } = runner;
    const asked =
      ask.by === "arguments" && withWords !== undefined ? withWords(ask.words(folder)) : command;
    const variables = ask.by === "environment" ? ask.variables(options.env, folder) : {};
    const env = { ...options.env, ...variables };
    const result = { ...(await run(asked, { ...options, env, reportFolder: folder })), command };
    if (
      result.ended.by === "exit" &&
      result.ended.code !== 0 &&
      runner.refused?.test(result.output)
    ) {
      return withOutputTests(await run(command, options), root);
    }
    return await withReport(result, runner, { folder, startedMs, root });
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Undefined where it would lie in the repository, or cannot be made: nobody is asked then. */
async function reportFolder(root: string): Promise<string | undefined> {
  try {
    const temporary = await realpath(tmpdir());
    return isInside(root, temporary) ? undefined : await mkdtemp(join(temporary, "kit-report-"));
  } catch {
    return undefined;
  }
}

async function withReport(
  result: CommandResult,
  runner: Runner,
  { folder, startedMs, root }: { folder: string; startedMs: number; root: string },
): Promise<CommandResult> {
  const by = `${runner.name}, ${runner.format}`;
  const { answer } = runner;
  if (answer.in === "output") return told(result, by, readOutput(result, runner.read), root);
  const reports =
    answer.in === "folder"
      ? await reportsIn(folder, answer.files)
      : await reportsBelow(result.command.cwd, answer, startedMs);
  if (!reports.ok) return told(result, by, reports, root);
  if (reports.texts.length === 0) {
    const known = withOutputTests(result, root);
    const isSilent = runner.isGuess === true || known.tests !== undefined;
    return isSilent ? known : told(result, by, { ok: false, fault: "it left none" }, root);
  }
  return told(result, by, joinReadings(reports.texts.map(runner.read)), root);
}

function withOutputTests(result: CommandResult, root: string): CommandResult {
  const format = formatOf(result.output);
  if (format === undefined) return result;
  return told(result, `${format.name} in the output`, readOutput(result, format.read), root);
}

function readOutput({ output }: CommandResult, read: Reader): Reading {
  return /^\[… \d+ bytes left out …\]$/m.test(output)
    ? { ok: false, fault: "the output is too long to keep all of it" }
    : read(output);
}

/** The result with what its report says; a report is never believed over the exit code. */
function told(result: CommandResult, by: string, said: Reading, root: string): CommandResult {
  if (result.ended.by !== "exit")
    return { ...result, reportFault: `${by}: the command did not end by itself` };
  if (!said.ok) return { ...result, reportFault: `${by}: ${said.fault}` };
  const { cwd } = result.command;
  const tests = testCases(withoutSecrets(said.tests, cwd), { root, cwd, isFile: existsSync });
  const contradiction = contradictionOf(result.ended.code, tests);
  return {
    ...result,
    tests,
    reportedBy: by,
    ...(contradiction !== undefined && { reportFault: `${by}: ${contradiction}` }),
  };
}

/** Before ids are made and texts are cut, so that no part of a value stays. */
function withoutSecrets(tests: readonly ReportedTest[], cwd: string): readonly ReportedTest[] {
  const values = environmentFileSecrets(cwd);
  if (values.length === 0) return tests;
  return tests.map((test) => ({
    ...test,
    names: test.names.map((name) => hideValues(name, values)),
    ...(test.file !== undefined && { file: hideValues(test.file, values) }),
    ...(test.message !== undefined && { message: hideValues(test.message, values) }),
  }));
}

function contradictionOf(code: number, tests: readonly TestCase[]): string | undefined {
  const failed = tests.filter(({ status }) => status === "failed");
  const [first] = failed;
  if (code !== 0 && first === undefined) {
    return `the command ended with ${code}, but none of its ${tests.length} tests failed`;
  }
  return code === 0 && first !== undefined
    ? `the command ended with 0, but ${failed.length} of its tests failed: ${first.id}`
    : undefined;
}
