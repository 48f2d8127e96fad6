import type { GateResult } from "../contracts/index.ts";
import { digest, sandboxHints } from "../gate/index.ts";
import type { ClimbTools } from "./climb.ts";
import { type Ground, groundOf } from "./ground.ts";
import type { RunRequest } from "./ports.ts";
import { inStep } from "./steps.ts";
import { commandSummaries, outputOf, testTree } from "./tests.ts";

const DIGEST_CHARS = 6_000;

/** The test commands on the untouched tree, running while the scout may already work. */
export interface Baseline {
  /** With a second run where the first was red. Undefined where no command runs. */
  readonly result: Promise<Ground | undefined>;
  /** What the first run says, if it is there within `ms`. */
  within(ms: number): Promise<GateResult | undefined>;
  /** Ends what still runs, and returns once it is gone. */
  end(): Promise<void>;
}

/** Starts the baseline; a failure of kit's own is thrown by whoever awaits the result. */
export function startBaseline(request: RunRequest, tools: ClimbTools): Baseline {
  const over = new AbortController();
  const signal = AbortSignal.any([tools.signal, over.signal]);
  const first =
    request.testCommands.length === 0
      ? Promise.resolve(undefined)
      : inStep(
          tools,
          "baseline",
          () => runBaseline(request, tools, signal),
          (found) => (found.green ? "green" : "red"),
        );
  const result = first.then((found) =>
    found === undefined || signal.aborted
      ? undefined
      : groundOf(found, request, signal, "baseline-again", tools.record.emit),
  );
  result.catch(() => undefined);
  return {
    result,
    async within(ms) {
      const enough = new AbortController();
      const signal = AbortSignal.any([enough.signal, tools.signal]);
      try {
        return await Promise.race([first, tools.clock.sleep(ms, signal).then(() => undefined)]);
      } finally {
        // Also when the baseline threw: a sleep that goes on would hold kit's process for a minute.
        enough.abort();
      }
    },
    async end() {
      over.abort();
      await result.catch(() => undefined);
    },
  };
}

async function runBaseline(
  request: RunRequest,
  { record }: ClimbTools,
  signal: AbortSignal,
): Promise<GateResult> {
  const found = await testTree(request, signal, "baseline");
  const output = await record.object(outputOf(found), "baseline.txt");
  await record.emit({
    type: "baseline",
    green: found.green,
    commands: commandSummaries(found),
    withheld: found.withheld,
    output,
  });
  for (const message of sandboxHints(found.commands)) {
    await record.emit({ type: "note", level: "warning", message });
  }
  return found;
}

/** What a red result says, for a prompt; undefined for a green one. */
export function failingOutput(result: GateResult | undefined, root: string): string | undefined {
  return result === undefined || result.green
    ? undefined
    : digest(result.commands, { root, maxChars: DIGEST_CHARS });
}
