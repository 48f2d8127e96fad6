import type { GateResult } from "../contracts/index.ts";
import { digest, sandboxHints, steady } from "../gate/index.ts";
import type { ClimbTools } from "./climb.ts";
import { type BaselineCache, openBaselineCache } from "./baseline-cache.ts";
import { type Ground, groundOf } from "./ground.ts";
import type { RunRequest } from "./ports.ts";
import { inStep } from "./steps.ts";
import { commandSummaries, outputOf, testTree } from "./tests.ts";

const DIGEST_CHARS = 6_000;

/** The test commands on the untouched tree, running while the scout may already work. */
export interface Baseline {
  /** With a second run where the first was red. Undefined where no command runs. */
  readonly result: Promise<Ground | undefined>;
  /** Resolves when the first command runs, or none is left to: what starts earlier would hold it up. */
  readonly underWay: Promise<void>;
  /** What the first run says, if it is there within `ms`; the second is under way by then. */
  within(ms: number): Promise<GateResult | undefined>;
  /** Ends what still runs, and returns once it is gone. */
  end(): Promise<void>;
}

/** Starts the baseline; a failure of kit's own is thrown by whoever awaits the result. */
export function startBaseline(request: RunRequest, tools: ClimbTools): Baseline {
  const over = new AbortController();
  const signal = AbortSignal.any([tools.signal, over.signal]);
  const cache = cacheFor(request);
  let isFromCache = false;
  const started = Promise.withResolvers<void>();
  const startedAgain = Promise.withResolvers<void>();
  const first =
    request.testCommands.length === 0
      ? Promise.resolve(undefined)
      : inStep(
          tools,
          "baseline",
          () => runBaseline(request, tools, cache, signal, started.resolve),
          ({ found, isKnown }) => `${found.green ? "green" : "red"}${isKnown ? ", known" : ""}`,
        ).then(({ found, isKnown }) => {
          isFromCache = isKnown;
          return found;
        });
  const result = first.then(async (found): Promise<Ground | undefined> => {
    if (found === undefined || signal.aborted) return undefined;
    if (isFromCache) return { result: found, unsteady: steady, isFromCache };
    const { emit } = tools.record;
    const onStarted = startedAgain.resolve;
    const ground = await groundOf(found, request, signal, "baseline-again", emit, onStarted);
    if (!signal.aborted) await cache?.keep(ground);
    return ground;
  });
  result.catch(() => undefined);
  return {
    result,
    underWay: Promise.race([started.promise, first.then(() => undefined)]),
    async within(ms) {
      const enough = new AbortController();
      const signal = AbortSignal.any([enough.signal, tools.signal]);
      const isThere = await tools.record.observe("baseline in time", async () => {
        try {
          const late = tools.clock.sleep(ms, signal).then(() => false);
          return await Promise.race([first.then(() => true), late]);
        } finally {
          // Also when the baseline threw: a sleep that goes on would hold kit's process for a minute.
          enough.abort();
        }
      });
      if (!isThere) return undefined;
      await Promise.race([startedAgain.promise, result]);
      return first;
    },
    async end() {
      over.abort();
      await result.catch(() => undefined);
    },
  };
}

function cacheFor(request: RunRequest): BaselineCache | undefined {
  const { workspace, testCommands: commands, environment, options, record, testSettings } = request;
  const { git } = request;
  if (testSettings === undefined) return undefined;
  const { passEnvironment } = options;
  const tree = {
    root: workspace.root,
    ...(git && { git }),
    commands,
    environment,
    passEnvironment,
  };
  return openBaselineCache({ ...tree, settings: testSettings, recordFolder: record.folder });
}

async function runBaseline(
  request: RunRequest,
  { record }: ClimbTools,
  cache: BaselineCache | undefined,
  signal: AbortSignal,
  onStarted: () => void,
): Promise<{ readonly found: GateResult; readonly isKnown: boolean }> {
  const known = await record.observe("known baseline", async () => (await cache?.find()) ?? null);
  cache?.watch();
  const found = known ?? (await testTree(request, signal, "baseline", onStarted));
  const output = record.object(outputOf(found), "baseline.txt");
  await record.emit({
    type: "baseline",
    green: found.green,
    commands: commandSummaries(found),
    withheld: found.withheld,
    output,
  });
  if (known !== null) {
    const message =
      "The tests of this tree are known from an earlier run and were not run again (.kit/cache, safe to delete)";
    await record.emit({ type: "note", level: "info", message });
  }
  for (const message of sandboxHints(found.commands)) {
    await record.emit({ type: "note", level: "warning", message });
  }
  return { found, isKnown: known !== null };
}

/** What a red result says, for a prompt; undefined for a green one. */
export function failingOutput(result: GateResult | undefined, root: string): string | undefined {
  return result === undefined || result.green
    ? undefined
    : digest(result.commands, { root, maxChars: DIGEST_CHARS });
}
