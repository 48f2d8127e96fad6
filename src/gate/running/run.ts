import type {
  CommandResult,
  GateResult,
  RunOptions,
  TestCase,
  TestCommand,
} from "../../contracts/index.ts";
import { isGreen } from "../verdict/ended.ts";
import { judgeEnvironment } from "../faults/environment-faults.ts";
import { testEnvironment } from "./environment-variables.ts";
import { runWithReport } from "../reports/index.ts";

/** What runs the tests of one tree. */
export interface GateRun {
  /** Absolute top level of the repository. */
  readonly root: string;
  readonly commands: readonly TestCommand[];
  /** The workspace's `run`. */
  readonly run: (command: TestCommand, options: RunOptions) => Promise<CommandResult>;
  /** The environment kit was started with. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names let through although they look like credentials. */
  readonly passEnvironment: readonly string[];
  /** Bound of one command. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Absolute file for the output of the n-th command, from 0. */
  readonly outputFile: (index: number) => string;
}

/**
 * Runs the commands one after the other, all of them, and says what the tree is worth. This is
 * the only place that starts test commands, so it is here that an untrusted one is refused.
 * @throws RangeError when a command is not trusted: the caller must not pass it on.
 */
export async function runTests(request: GateRun): Promise<GateResult> {
  const untrusted = request.commands.find((command) => !command.trusted);
  if (untrusted !== undefined) {
    throw new RangeError(`refused to run an untrusted command of ${untrusted.source.kind}`);
  }
  const { env, withheld } = testEnvironment(request.environment, request.passEnvironment);
  const results: CommandResult[] = [];
  for (const [index, command] of request.commands.entries()) {
    if (request.signal.aborted) break;
    const { timeoutMs, signal, root, run } = request;
    const options = { env, timeoutMs, signal, outputFile: request.outputFile(index) };
    results.push(await runWithReport(command, options, root, run));
  }
  const green = results.length === request.commands.length && results.every(isGreen);
  const environment = green ? undefined : await judgeEnvironment(results, request.root);
  return {
    commands: results,
    tests: testsOf(results),
    green,
    withheld,
    ...(environment === undefined ? {} : { environment }),
  };
}

function testsOf(results: readonly CommandResult[]): readonly TestCase[] | undefined {
  if (results.length === 0 || results.some(({ tests }) => tests === undefined)) return undefined;
  return results.flatMap(({ tests }) => tests ?? []);
}
