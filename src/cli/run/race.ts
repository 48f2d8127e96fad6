import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderPack } from "../../context-pack/index.ts";
import {
  type Candidate,
  KitError,
  type KitErrorKind,
  type RecordedEvent,
} from "../../contracts/index.ts";
import { spentAccounts } from "../../pipeline/index.ts";
import { readRun, type Totals, totalsOf } from "../../runs/index.ts";
import type { Answer, CommandContext } from "../command.ts";
import { requireSound } from "../project.ts";
import { counted, createPaint } from "../views/format.ts";
import { runSummaryLines } from "../views/run-summary.ts";
import { createRunTable, type RunTable } from "../views/run-table.ts";
import { requirePrices } from "./bounds.ts";
import { type ChildRunEnd, runChild } from "./child.ts";
import { clock, openUserLedger, requireModels, requireQuota } from "./models.ts";
import type { RunFlags } from "./flags.ts";
import { type PreparedRun, requireTests, routesAsked } from "./prepare.ts";
import { racerFlags } from "./race-flags.ts";

/** A candidate in the race, with what its run has said so far. */
interface Racer {
  readonly candidate: Candidate;
  readonly stop: AbortController;
  /** Its calls alone. */
  readonly calls: RecordedEvent[];
  end?: ChildRunEnd & { readonly durationMs: number };
  hasLanded: boolean;
}

/**
 * Lets several candidates of the coder work on one Context Pack at once, each in an isolated run
 * of its own; the first green change lands and ends the others. The first candidate's run has the
 * scout, the others start when its pack is there.
 * @throws KitError where nobody can start, as a single run would
 */
export async function race(
  prepared: PreparedRun,
  flags: RunFlags & { readonly race: number },
  context: CommandContext,
): Promise<Answer> {
  requireOwnOutput(flags);
  const candidates = await startersOf(prepared, flags, context);
  const startedAt = performance.now();
  const folder = await mkdtemp(join(tmpdir(), "kit-race-"));
  const racers = candidates.map((candidate): Racer => {
    return { candidate, stop: new AbortController(), calls: [], hasLanded: false };
  });
  try {
    await runAll(racers, { prepared, flags, folder, context });
    return answerOf(racers, performance.now() - startedAt, context);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws KitError `usage` for what follows one run alone */
function requireOwnOutput({ events, logLevel, ci }: RunFlags): void {
  if (events === undefined && logLevel === undefined && ci === undefined) return;
  throw new KitError("usage", "--events, --log-level and --ci follow one run; a race is several.", {
    next: "Leave them out: each run of the race has its record (kit runs)",
  });
}

/** The first of the route that can be asked now. */
async function startersOf(
  prepared: PreparedRun,
  { race: wanted, wait, quiet }: RunFlags & { readonly race: number },
  { io }: CommandContext,
): Promise<readonly Candidate[]> {
  const asked = routesAsked(prepared);
  requireSound(prepared.project);
  requirePrices(asked);
  requireModels(asked);
  requireTests(prepared, "run");
  const ledger = await openUserLedger(io, (message) => io.stderr.write(`${message}\n`));
  try {
    if (wait === undefined) requireQuota(asked, ledger);
    const { candidates } = prepared.routes.coder;
    const free = candidates.filter(
      (candidate) =>
        wait !== undefined || spentAccounts([candidate], ledger, clock.now()) === undefined,
    );
    const starters = free.slice(0, wanted);
    if (starters.length < wanted && !quiet) {
      const names = starters.map(({ backend }) => backend).join(", ");
      io.stderr.write(
        `${counted(starters.length, "candidate")} of ${wanted} can be asked: ${names}\n`,
      );
    }
    return starters;
  } finally {
    ledger.close();
  }
}

interface Field {
  readonly prepared: PreparedRun;
  readonly flags: RunFlags;
  /** Private to the race: its pack, and the claim of whoever lands. */
  readonly folder: string;
  readonly context: CommandContext;
}

async function runAll(racers: readonly Racer[], field: Field): Promise<void> {
  const { prepared, flags, folder } = field;
  const { io, signal } = field.context;
  const { stderr } = io;
  const table = createRunTable(
    flags.quiet ? { ...stderr, write: () => undefined, isTerminal: false, columns: 80 } : stderr,
    io.clock,
    racers.map(nameOf),
    () => `${counted(racers.length, "candidate")}, the first green lands`,
  );
  const onLanded = (winner: Racer): void => {
    for (const racer of racers) if (racer !== winner) racer.stop.abort();
  };
  const packFile = join(folder, "pack.md");
  let hasPack = false;
  const startedAt = performance.now();
  const startOne = (racer: Racer, onPack: (id: string, hash: string) => void): Promise<void> =>
    runOne(racer, {
      table,
      onLanded: () => onLanded(racer),
      onPack,
      run: {
        args: [
          "run",
          ...racerFlags(prepared, flags, {
            backend: racer.candidate.backend,
            share: racers.length,
            spentMs: performance.now() - startedAt,
            claim: join(folder, "first"),
            ...(hasPack && { packFile }),
          }),
        ],
        task: prepared.task,
        cwd: io.cwd,
        env: io.env,
        signal: AbortSignal.any([signal, racer.stop.signal]),
      },
    });
  const takePack = async (text: string): Promise<void> => {
    await writeFile(packFile, text, { mode: 0o600 });
    hasPack = true;
  };
  const ignore = (): void => undefined;
  try {
    if (prepared.pack !== undefined) await takePack(renderPack(prepared.pack));
    const [leader, ...others] = racers;
    if (leader === undefined) return;
    const found = Promise.withResolvers<readonly [id: string, hash: string] | undefined>();
    const leading = startOne(leader, (...pack) => found.resolve(pack)).finally(() => {
      found.resolve(undefined);
    });
    leading.catch(ignore);
    const pack = hasPack ? undefined : await found.promise;
    if (pack !== undefined) {
      const [id, hash] = pack;
      const record = await readRun(prepared.project.runsFolder, id);
      await takePack((await record.object(hash)).toString("utf8"));
    }
    // Where the scout gave no pack, the first run says why.
    const following = hasPack ? others.map((racer) => startOne(racer, ignore)) : [];
    await Promise.all([leading, ...following]);
  } finally {
    table.stop();
  }
}

async function runOne(
  racer: Racer,
  request: {
    readonly run: Omit<Parameters<typeof runChild>[0], "onEvent">;
    readonly table: RunTable;
    readonly onLanded: () => void;
    readonly onPack: (runId: string, hash: string) => void;
  },
): Promise<void> {
  const { table } = request;
  const startedAt = performance.now();
  const name = nameOf(racer);
  let runId = "";
  table.start(name);
  const end = await runChild({
    ...request.run,
    onEvent(event) {
      table.see(name, event);
      if (event.type === "run_started") ({ runId } = event);
      if (event.type === "call_started" || event.type === "call_finished") racer.calls.push(event);
      if (event.type === "pack_ready") request.onPack(runId, event.pack);
      if (event.type === "landed") {
        racer.hasLanded = true;
        request.onLanded();
      }
    },
  });
  racer.end = { ...end, durationMs: Math.round(performance.now() - startedAt) };
  const { costUsd, costUnknown } = paidFor([racer]);
  table.end(name, {
    tone: racer.hasLanded ? "good" : "bad",
    state: stateOf(racer),
    durationMs: racer.end.durationMs,
    costUsd,
    costUnknown,
  });
}

function nameOf({ candidate }: Racer): string {
  return candidate.backend;
}

function stateOf(racer: Racer): string {
  const state = endOf(racer);
  if (state === "won") return "green, first";
  if (state === "lost") return "ended: another was first";
  return racer.end?.receipt?.outcome.replaceAll("_", " ") ?? racer.end?.error ?? "not started";
}

function endOf({ hasLanded, stop, end }: Racer): "won" | "lost" | "failed" {
  if (hasLanded) return "won";
  return stop.signal.aborted && end?.exitCode === 130 ? "lost" : "failed";
}

/** What their calls came to. One that was cut off is paid for too, at a cost that nobody told. */
function paidFor(racers: readonly Racer[]): Totals {
  const calls = racers.flatMap((racer) => racer.calls);
  const totals = totalsOf(calls);
  const cutOff = calls.filter(({ type }) => type === "call_started").length - totals.calls;
  return {
    ...totals,
    calls: totals.calls + cutOff,
    usageUnknown: totals.usageUnknown + cutOff,
    costUnknown: totals.costUnknown + cutOff,
  };
}

/** Without a winner the end that says most: a coder that replied before one that could not. */
const bestFirst: readonly ChildRunEnd["exitCode"][] = [0, 1, 4, 3, 5, 2, 130];

function answerOf(
  racers: readonly Racer[],
  durationMs: number,
  { io, signal, json }: CommandContext,
): Answer {
  const ended = racers.flatMap((racer) =>
    racer.end === undefined ? [] : [{ racer, end: racer.end }],
  );
  const [best] = ended.toSorted(
    (one, other) => bestFirst.indexOf(one.end.exitCode) - bestFirst.indexOf(other.end.exitCode),
  );
  const shown = ended.find(({ racer }) => racer.hasLanded) ?? best;
  if (shown?.end.receipt === undefined) {
    signal.throwIfAborted();
    throw refusalOf(shown?.end);
  }
  const { receipt, exitCode } = shown.end;
  const totals = { ...receipt.totals, ...paidFor(racers), durationMs: Math.round(durationMs) };
  const together = { ...receipt, exitCode, totals };
  return {
    exitCode,
    document: { ...together, race: ended.map(({ racer, end }) => entryOf(racer, end)) },
    ...(!json && {
      text: `${runSummaryLines(together, createPaint(io.stdout.colour)).join("\n").trimStart()}\n`,
    }),
  };
}

const kinds: Partial<Record<ChildRunEnd["exitCode"], KitErrorKind>> = {
  1: "conflict",
  2: "usage",
  3: "no_model",
};

function refusalOf(end: ChildRunEnd | undefined): KitError {
  const kind = (end && kinds[end.exitCode]) ?? "environment";
  return new KitError(kind, `No run of the race could start: ${end?.error ?? "no reason given"}`);
}

function entryOf(racer: Racer, end: NonNullable<Racer["end"]>): Record<string, unknown> {
  const { adapter, provider, model, thinking } = racer.candidate.binding;
  const { costUsd, costUnknown } = paidFor([racer]);
  const error = end.error ?? end.receipt?.error?.message;
  const isLost = endOf(racer) === "lost";
  return {
    backend: racer.candidate.backend,
    adapter,
    provider,
    model,
    ...(thinking !== undefined && { thinking }),
    end: endOf(racer),
    runId: end.receipt?.runId ?? null,
    outcome: end.receipt?.outcome ?? null,
    exitCode: end.exitCode,
    ...(costUsd !== undefined && { costUsd }),
    costUnknown,
    durationMs: end.durationMs,
    ...(isLost && { error: "another candidate was first" }),
    ...(!isLost && error !== undefined && { error }),
  };
}
