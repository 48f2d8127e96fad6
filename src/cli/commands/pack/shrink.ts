import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Option } from "commander";
import {
  describePackErrors,
  profileTokens,
  renderPack,
  selfCheckPack,
  shrinkPack,
  validatePack,
  packToJson,
} from "../../../context-pack/index.ts";
import { type BudgetProfile, type ContextPack, KitError } from "../../../contracts/index.ts";
import { defineCommand } from "../../command.ts";
import { repeatable } from "../../options.ts";
import { addPackOptions, type PackOptions, readPack } from "../../pack-input.ts";
import { openRepository } from "../../project.ts";
import { formatCount } from "../../views/format.ts";
import { printable } from "../../views/printable.ts";

interface ShrinkFlags extends PackOptions {
  readonly profile: BudgetProfile;
  readonly decision?: readonly string[];
  readonly progress?: readonly string[];
  readonly must?: readonly string[];
}

export const command = defineCommand<ShrinkFlags>({
  define(command) {
    const sizes = Object.entries(profileTokens).map(
      ([name, tokens]) => `${name} ${formatCount(tokens)}`,
    );
    const profile = new Option("--profile <name>", `tokens it may take: ${sizes.join(", ")}`);
    addPackOptions(command)
      .addOption(profile.choices(Object.keys(profileTokens)).makeOptionMandatory())
      .addOption(
        repeatable(
          new Option("--decision <text>", 'what is settled: "CHOICE because REASON"; repeatable'),
        ),
      )
      .addOption(repeatable(new Option("--progress <text>", "what is done already; repeatable")))
      .addOption(repeatable(new Option("--must <text>", "a hard requirement; repeatable")));
  },
  examples: [
    [
      "kit pack shrink pack.md --profile simple > small.md",
      "cuts a pack by rule, and says each cut",
    ],
    [
      'kit pack shrink pack.md --profile handoff --progress "parser is done" --decision "YAML because users know it"',
      "hands half-done work over",
    ],
  ],
  async run(
    { profile, decision = [], progress = [], must = [], ...options },
    { io, args: [file] },
  ) {
    const read = await readPack(String(file), options, io);
    if (!read.ok) throw noPack(String(file), describePackErrors(read.errors), String(file));
    const full = handedOver(read.pack, { profile, decision, progress, must });
    const errors = validatePack(packToJson(full));
    if (errors.length > 0)
      throw noPack("What the flags make of it", describePackErrors(errors), String(file));
    const lean = profile === "handoff" ? await withoutWholeFiles(full, options, io) : full;
    const dropped = (full.relevantSnippets?.length ?? 0) - (lean.relevantSnippets?.length ?? 0);
    const { pack, cuts: pruned, tokens, isOver } = shrinkPack(lean);
    const cuts = [
      ...(dropped > 0 ? [`${dropped} snippet(s) that are whole files left out`] : []),
      ...pruned,
    ];
    const markdown = renderPack(pack);
    const maxTokens = profileTokens[profile];
    for (const line of cuts) io.stderr.write(`${printable(line)}\n`);
    if (isOver) {
      io.stderr.write(
        `Still about ${formatCount(tokens)} tokens, ${formatCount(maxTokens)} are allowed: what is left may never be cut.\n`,
      );
    }
    return {
      exitCode: isOver ? 1 : 0,
      document: { ok: !isOver, markdown, tokens, maxTokens, cuts },
      text: markdown,
    };
  },
});

function handedOver(
  pack: ContextPack,
  {
    profile,
    decision,
    progress,
    must,
  }: Required<Pick<ShrinkFlags, "profile" | "decision" | "progress" | "must">>,
): ContextPack {
  const decisions = [...(pack.decisions ?? []), ...decision.map(decisionOf)];
  const done = [...(pack.progress ?? []), ...progress.map((text) => text.trim())];
  const limits = must.map((text) => ({ kind: "must" as const, text: text.trim() }));
  return {
    ...pack,
    version: 2,
    budget: { profile },
    constraints: [...pack.constraints, ...limits],
    ...(decisions.length > 0 && { decisions }),
    ...(done.length > 0 && { progress: done }),
  };
}

/** `CHOICE because REASON`, or with a dash in between as packs write it. */
function decisionOf(text: string): { choice: string; because: string } {
  const [, choice = "", because = ""] =
    /^(.+?)(?:\s+[—–]\s+(?:because\s+)?|\s+because\s+)(.+)$/s.exec(text.trim()) ?? [];
  if (choice === "" || because === "") {
    throw new KitError("usage", `--decision "${text}" gives no reason.`, {
      next: 'Write it as: --decision "CHOICE because REASON"',
    });
  }
  return { choice, because };
}

/** A hand-off holds no whole files: the reader has them. Told only where the repository is given. */
async function withoutWholeFiles(
  pack: ContextPack,
  { repo }: PackOptions,
  io: Parameters<typeof openRepository>[1],
): Promise<ContextPack> {
  if (repo === undefined || pack.relevantSnippets === undefined) return pack;
  const { root } = await openRepository(repo, io);
  const { warnings } = selfCheckPack(pack, { fileText: (path) => textOf(join(root, path)) });
  const whole = new Set(
    warnings
      .filter(({ rule }) => rule === "no snippet that is a whole file")
      .map(({ field }) => field),
  );
  const { relevantSnippets, ...rest } = pack;
  const kept = relevantSnippets.filter((_, index) => !whole.has(`relevant_snippets[${index}]`));
  return kept.length > 0 ? { ...rest, relevantSnippets: kept } : rest;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function noPack(subject: string, reasons: string, file: string): KitError {
  return new KitError("usage", `${subject} is no Context Pack: ${reasons}`, {
    next: `See every error with its line: kit pack check ${file}`,
  });
}
