import { existsSync } from "node:fs";
import { join } from "node:path";
import { Option } from "commander";
import {
  diffOfPlan,
  diskTree,
  hookFolders,
  parseReply,
  type PlanResult,
  planChanges,
} from "../../changes/index.ts";
import { type Failure, KitError, parseRepoPath, type RepoPath } from "../../contracts/index.ts";
import { openInPlace, type TreePlace } from "../../pipeline/index.ts";
import { stateFolder } from "../../lib/git.ts";
import { type Answer, defineCommand } from "../command.ts";
import { putRight } from "../history.ts";
import { readInput } from "../input.ts";
import { addRepoOption, repeatable } from "../options.ts";
import { openRepository, type OpenRepository } from "../project.ts";
import { changeRow } from "../views/change-row.ts";
import { alignColumns } from "../views/format.ts";

interface ApplyFlags {
  readonly repo?: string;
  readonly allow?: readonly string[];
  readonly new?: readonly string[];
  readonly dryRun?: true;
}

type Planned = Extract<PlanResult, { ok: true }>;

export const command = defineCommand<ApplyFlags>({
  define(command) {
    command.argument("<reply>", "the file with the reply; - reads it from stdin");
    addRepoOption(command)
      .addOption(
        repeatable(new Option("--allow <path>", "a file the reply may change; repeatable")),
      )
      .addOption(repeatable(new Option("--new <path>", "a file the reply may create; repeatable")))
      .option("--dry-run", "shows the diff and writes nothing");
  },
  examples: [
    ["kit apply reply.md --allow src/math.js", "applies all of the reply or nothing"],
    ["kit apply - --allow src/a.js --new src/b.js --dry-run", "reads stdin, shows the diff"],
  ],
  async run(flags, { io, args: [reply] }) {
    const repository = await openRepository(flags.repo, io);
    // What is planned must not be about a tree that a killed kit left half changed.
    if (!flags.dryRun) await putRight(await placeOf(repository), io);
    const text = await readInput("The reply", String(reply), io);
    const planned = await plan(text, flags, repository);
    if (!planned.ok) return refusal(planned.failure);
    const { text: diff, changes } = diffOfPlan(planned.plan, planned.before, {
      colour: io.stdout.colour,
    });
    const strategies = new Map<string, string>(
      planned.plan.operations.flatMap((each) =>
        "strategy" in each && each.strategy !== undefined ? [[each.path, each.strategy]] : [],
      ),
    );
    const document = {
      ok: true,
      changes: changes.map((change) => ({
        ...change,
        ...(strategies.has(change.path) && { strategy: strategies.get(change.path) }),
      })),
      refused: [],
    };
    if (flags.dryRun) return { exitCode: 0, document, text: diff };
    const failure = await write(planned, repository);
    if (failure !== undefined) return refusal(failure);
    return { exitCode: 0, document, text: `${alignColumns(changes.map(changeRow)).join("\n")}\n` };
  },
});

async function plan(
  text: string,
  flags: ApplyFlags,
  { root }: OpenRepository,
): Promise<PlanResult> {
  const existing = pathsOf(flags.allow, "--allow");
  const created = pathsOf(flags.new, "--new");
  const paths = new Map<RepoPath, "existing" | "new">([
    ...existing.map((path) => [path, "existing"] as const),
    ...created.map((path) => [path, "new"] as const),
  ]);
  const parsed = parseReply(text, {
    paths,
    root,
    isTracked: (path) => existsSync(join(root, path)),
    mayCreate: () => false,
  });
  if (!parsed.ok) return parsed;
  return planChanges(parsed.changeSet, diskTree(root), {
    named: new Set(paths.keys()),
    hookFolders: await hookFolders(root),
    newPaths: new Set(created),
    readOnly: () => undefined,
  });
}

function pathsOf(given: readonly string[] | undefined, option: string): RepoPath[] {
  return (given ?? []).map((text) => {
    const parsed = parseRepoPath(text);
    if (parsed.ok) return parsed.path;
    throw new KitError("usage", `${option} ${JSON.stringify(text)}: ${parsed.reason}.`, {
      next: "Give paths relative to the repository, with /",
    });
  });
}

async function placeOf({ root, git }: OpenRepository): Promise<TreePlace> {
  return { root, git, stateDir: await stateFolder(git, root) };
}

async function write(planned: Planned, repository: OpenRepository): Promise<Failure | undefined> {
  const { workspace } = await openInPlace(await placeOf(repository), "kit apply");
  try {
    const result = await workspace.apply(planned.plan);
    if (!result.ok) return result.failure;
    await workspace.accept(result.applied);
    return undefined;
  } finally {
    await workspace.close();
  }
}

function refusal(failure: Failure): Answer {
  const refused = refusedBlocks(failure);
  const lines = [
    `Nothing was written: ${failure.message}`,
    ...refused.map(({ path, reason }) => `  ${path}: ${reason}`),
  ];
  const exitCode = failure.kind === "environment" ? 5 : 1;
  return {
    exitCode,
    document: { ok: false, changes: [], refused, failure },
    text: `${lines.join("\n")}\n`,
  };
}

function refusedBlocks(failure: Failure): { path: string; reason: string }[] {
  switch (failure.kind) {
    case "apply":
    case "format":
      return failure.blocks.map(({ path, reason, line }) => ({
        path,
        reason: `${reason} (line ${line} of the reply)`,
      }));
    case "needs_file":
    case "out_of_scope":
    case "conflict":
    case "tests_weakened":
      return failure.paths.map((path) => ({ path, reason: failure.kind }));
    default:
      return [];
  }
}
