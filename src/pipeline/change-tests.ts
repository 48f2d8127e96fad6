import { join } from "node:path";
import { diskTree } from "../changes/index.ts";
import type { ChangePlan, Fingerprint, RepoPath, TestCommand } from "../contracts/index.ts";
import { commandText } from "../gate/index.ts";
import { sha256 } from "../lib/text.ts";
import { failureOfAbort } from "./calls.ts";
import type { ClimbTools } from "./climb.ts";
import { movedBetween } from "./in-place-workspace.ts";
import type { JudgeFiles } from "./judge-files.ts";
import { notAsWritten, pathsOf } from "./plan-parts.ts";
import type { RunRequest } from "./ports.ts";
import type { Tested } from "./steady-verdict.ts";
import { testTree } from "./tests.ts";

/** A change in the tree whose tests are to say something, and what must not move meanwhile. */
export interface ChangeUnderTest {
  readonly request: Omit<RunRequest, "treeHash">;
  readonly tools: ClimbTools;
  readonly attempt: number;
  /** The tree without the change; what the change wrote does not count. */
  readonly untouched: Fingerprint;
  /** Looked at beside what git knows. */
  readonly paths: readonly RepoPath[];
  readonly judgeFiles: JudgeFiles;
  /** Hooks of git that the tests write without the change, too. */
  readonly harmlessHooks: readonly string[];
  /** Names the untouched tree for a resumed run; undefined where that would not find it again. */
  readonly treeHash: string | undefined;
}

/** Runs tests on the changed tree; `name` is that of their outputs, default `test`. */
export type TestChange = (
  plan: ChangePlan,
  name?: string,
  commands?: readonly TestCommand[],
) => Promise<Tested>;

/**
 * Tests of a tree that has to hold still: where somebody moves it they run again, and twice is a
 * conflict. Once in the life of a run for each plan.
 */
export function testsOfChange(change: ChangeUnderTest): TestChange {
  const { request, tools, attempt, paths, judgeFiles, treeHash } = change;
  const { workspace } = request;
  const { record, signal } = tools;
  const tree = diskTree(workspace.root);
  const harmless = new Set(change.harmlessHooks);
  let still = change.untouched;

  /** Where the code under test wrote over what judges it, or where its writing is run later. */
  function tamperedWith(
    ours: ReadonlySet<string>,
    changedHooks: readonly string[],
  ): Tested | undefined {
    const overwritten = judgeFiles.changed().filter((path) => !ours.has(path));
    if (overwritten.length > 0) {
      const keptIn = judgeFiles.keep(overwritten, join(record.folder, "kept"));
      const message = `tests were written over while they ran: ${overwritten.join(", ")}`;
      return { ok: false, failure: { kind: "conflict", message, paths: overwritten, keptIn } };
    }
    const hooks = changedHooks.filter((path) => !harmless.has(path));
    if (hooks.length === 0) return undefined;
    const message = `hooks of git were written by the code under test: ${hooks.join(", ")}`;
    const keptIn = join(record.folder, "kept", "hooks");
    return { ok: false, failure: { kind: "conflict", message, paths: hooks, keptIn } };
  }

  async function testHeld(
    plan: ChangePlan,
    name: string,
    testCommands: readonly TestCommand[],
  ): Promise<Tested> {
    const ours = pathsOf(plan);
    for (let round = 1; ; round += 1) {
      const narrowed = { ...request, testCommands };
      const result = await testTree(narrowed, signal, `attempts/coder-${attempt}/${name}`);
      if (signal.aborted) return { ok: false, failure: failureOfAbort(signal) };
      const tampered = tamperedWith(ours, result.changedHooks ?? []);
      if (tampered !== undefined) return tampered;
      const [now, replaced] = await Promise.all([
        workspace.fingerprint(paths),
        notAsWritten(tree, plan),
      ]);
      const moved = [...movedBetween(still, now, ours), ...replaced];
      if (moved.length === 0) return { ok: true, result };
      const message = `changed while the tests ran: ${moved.join(", ")}`;
      if (round === 2 || replaced.length > 0)
        return { ok: false, failure: { kind: "conflict", message, paths: moved } };
      await record.emit({ type: "note", level: "warning", message: `${message}; they run again` });
      still = now;
    }
  }

  return (plan, name = "test", commands = request.testCommands) => {
    const run = (): Promise<Tested> => testHeld(plan, name, commands);
    const isSaid = (tested: Tested): boolean =>
      tested.ok && tested.result.environment === undefined;
    return record.observe(`tests of a change: coder-${attempt}/${name}`, () => {
      if (treeHash === undefined) return run();
      const texts = commands.map(commandText).join("\0");
      const inputHash = sha256(`${treeHash}\0${plan.hash}\0${texts}`);
      return record.step(`tests of a change: ${name}`, inputHash, run, isSaid);
    });
  };
}
