import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Option } from "commander";
import { measurePack, packToJson, renderPack } from "../../../context-pack/index.ts";
import { type Event, KitError, type RecordedEvent } from "../../../contracts/index.ts";
import { writeFileDurably } from "../../../lib/files.ts";
import { scoutAlone, sizeWithFiles } from "../../../pipeline/index.ts";
import { totalsOf } from "../../../runs/index.ts";
import { surveyWithCommands } from "../../run/survey.ts";
import { type CommandContext, defineCommand } from "../../command.ts";
import { openMemory } from "../../memory.ts";
import { addModelOption, addRepoOption, repeatable, wholeNumber } from "../../options.ts";
import { requireSound } from "../../project.ts";
import {
  adaptersOf,
  checkAdapters,
  clock,
  openUserLedger,
  requireModels,
  requireQuota,
} from "../../run/models.ts";
import type { RunFlags } from "../../run/flags.ts";
import { type PreparedRun, prepareRun } from "../../run/prepare.ts";
import { counted, formatCost, formatCount } from "../../views/format.ts";
import { createLiveDisplay } from "../../views/live-display.ts";

type ScoutFlags = Pick<
  RunFlags,
  "task" | "taskFile" | "repo" | "test" | "model" | "maxAttempts" | "maxCalls"
> & { readonly out?: string };

export const command = defineCommand<ScoutFlags>({
  define(command) {
    command
      .argument("[task]", "what to do, in words; - reads it from stdin")
      .option("--task <text>", "the same as an option; - reads it from stdin")
      .option("--task-file <file>", "reads the task from a file");
    addModelOption(addRepoOption(command))
      .option("--out <file>", "writes the pack there instead of on stdout; the file must not exist")
      .addOption(
        repeatable(new Option("--test <command>", "a command that proves the change; repeatable")),
      )
      .option("--max-attempts <count>", "models that may reply", wholeNumber)
      .option("--max-calls <count>", "requests at most", wholeNumber);
  },
  examples: [
    [
      'kit pack scout --task "Saving an empty project crashes" --out pack.md',
      "asks the scout alone; this calls a model and costs what a scout's call costs",
    ],
    ["kit run --pack pack.md", "and later goes on from the pack"],
  ],
  async run({ out, ...flags }, context) {
    const { io, args } = context;
    const [task] = args;
    const target = out === undefined ? undefined : resolve(io.cwd, out);
    if (target !== undefined && existsSync(target)) {
      throw new KitError("usage", `${target} exists already.`, { next: "Give another --out" });
    }
    const prepared = await prepareRun(flags, task === undefined ? undefined : String(task), io);
    const { result, events } = await scout(prepared, context);
    const { calls, costUsd, costUnknown } = totalsOf(events);
    const paid = { calls, ...(costUsd !== undefined && { costUsd }), costUnknown };
    const cost = `${counted(calls, "call")}, ${formatCost(costUsd, costUnknown)}`;
    const report = events.flatMap((event) => (event.type === "pack_ready" ? event.report : []));
    if (!result.ok) {
      const reason = result.failure?.message ?? "nobody could be asked";
      io.stderr.write(`No pack: ${reason} (${cost})\n`);
      return {
        exitCode: 1,
        document: {
          ok: false,
          pack: null,
          markdown: null,
          file: null,
          tokens: 0,
          tokensWithFiles: 0,
          report,
          ...paid,
          reason,
        },
      };
    }
    const markdown = renderPack(result.value);
    if (target !== undefined) await writeFileDurably(target, Buffer.from(markdown));
    const tokens = measurePack(result.value);
    const tokensWithFiles = sizeWithFiles(prepared.project.root, result.value);
    io.stderr.write(
      `A pack of about ${counted(tokens, "token")}, ${formatCount(tokensWithFiles)} with its files (${cost})\n`,
    );
    return {
      exitCode: 0,
      document: {
        ok: true,
        pack: packToJson(result.value),
        markdown,
        file: target ?? null,
        tokens,
        tokensWithFiles,
        report,
        ...paid,
        reason: null,
      },
      text: target === undefined ? markdown : `${target}\nnext: kit run --pack ${out}\n`,
    };
  },
});

async function scout(prepared: PreparedRun, { io, signal }: CommandContext) {
  const { project, routes, testCommands, task } = prepared;
  requireSound(project);
  requireModels([routes.scout]);
  const adapters = adaptersOf(project, io.env);
  await checkAdapters([routes.scout], adapters, signal);
  const { memory } = await openMemory(project, project.layer);
  const ledger = await openUserLedger(io, (message) => io.stderr.write(`${message}\n`));
  requireQuota([routes.scout], ledger);
  const events: RecordedEvent[] = [];
  const display = createLiveDisplay(io.stderr, "normal", io.clock);
  const { root, git } = project;
  try {
    const result = await scoutAlone({
      ...prepared,
      workspace: { root },
      memory,
      testCommands: testCommands.filter(({ trusted }) => trusted),
      survey: () => surveyWithCommands({ root, git, task }),
      adapters,
      ledger,
      clock,
      signal,
      emit(event: Event) {
        const at = io.clock().toISOString();
        const recorded: RecordedEvent = { v: 1, seq: events.length + 1, at, ...event };
        events.push(recorded);
        display.show(recorded);
        return Promise.resolve();
      },
    });
    return { result, events };
  } finally {
    display.stop();
    ledger.close();
  }
}
