import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { CommandResult, SandboxMode } from "../../../src/contracts/index.ts";
import { openSandbox, runTestCommand } from "../../../src/gate/index.ts";
import { testEnvironment } from "../../../src/gate/running/environment-variables.ts";
import { probeSandbox } from "../../../src/gate/sandbox/probe.ts";
import { temporaryFolder } from "../../support/repository.ts";
import { line } from "../support.ts";

const probe = await probeSandbox(process.env, "/nowhere");

/** Why the tests of the sandbox are skipped here, in words; `undefined` where there is one. */
export const noSandbox = probe.available ? undefined : probe.reason;
if (noSandbox !== undefined) console.log(`tests in the sandbox: skipped, ${noSandbox}`);

export interface Confined {
  readonly mode?: SandboxMode;
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly network?: boolean;
  readonly writable?: readonly string[];
  readonly hookFolders?: readonly string[];
  readonly reportFolder?: string;
  readonly timeoutMs?: number;
}

/** Runs a shell line in `root` as the gate does, confined unless told otherwise. */
export async function runConfined(
  root: string,
  shell: string,
  options: Confined = {},
): Promise<CommandResult> {
  const environment = {
    ...process.env,
    ...(options.home !== undefined && { HOME: options.home }),
    ...options.env,
  };
  const sandbox = await openSandbox({
    mode: options.mode ?? "on",
    root,
    environment,
    network: options.network ?? false,
    writable: options.writable ?? [],
    hookFolders: options.hookFolders ?? [],
  });
  onTestFinished(() => sandbox.close());
  return runTestCommand(
    line(shell, root),
    {
      env: testEnvironment(environment, []).env,
      timeoutMs: options.timeoutMs ?? 30_000,
      signal: new AbortController().signal,
      outputFile: join(temporaryFolder(), "output.txt"),
      ...(options.reportFolder !== undefined && { reportFolder: options.reportFolder }),
    },
    sandbox,
  );
}
