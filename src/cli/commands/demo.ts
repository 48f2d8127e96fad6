import { cp, mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { startModelServer, writePiAgentFolder } from "../../../fixtures/model-server/index.ts";
import { KitError } from "../../contracts/index.ts";
import { gitEnvironment } from "../../lib/git.ts";
import { runProcess } from "../../lib/processes/index.ts";
import type { Receipt } from "../../runs/index.ts";
import { type Answer, type CommandContext, defineCommand } from "../command.ts";
import { packageRoot } from "../package.ts";
import { prepareRun } from "../run/prepare.ts";
import { createPaint, type Paint } from "../views/format.ts";
import { outcomeLines } from "../views/run-summary.ts";

interface DemoFlags {
  readonly keep?: true;
}

export const command = defineCommand<DemoFlags>({
  define(command) {
    command.option("--keep", "leaves the demo's folder, with the change and its records");
  },
  examples: [
    ["kit demo", "a real run through pi with scripted models; no account, nothing to pay"],
    ["kit demo --keep", "the same, to look around in afterwards"],
  ],
  async run(flags, context) {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "kit-demo-")));
    try {
      return await demoIn(folder, flags, context);
    } finally {
      if (!flags.keep) await rm(folder, { recursive: true, force: true });
    }
  },
});

async function demoIn(folder: string, flags: DemoFlags, context: CommandContext): Promise<Answer> {
  const fixtures = join(packageRoot(), "fixtures");
  const repository = join(folder, "repository");
  await cp(join(fixtures, "demo-repo"), repository, { recursive: true });
  const server = await startModelServer(join(fixtures, "demo", "scenario.yaml"));
  try {
    const env = await demoEnvironment(folder, fixtures, server, context);
    await commit(repository, env);
    const task = await readFile(join(fixtures, "demo", "task.txt"), "utf8");
    const prepared = await prepareRun({}, task.trim(), { ...context.io, cwd: repository, env });
    const { execute } = await import("../run/execute.ts");
    const io = { ...context.io, cwd: repository, env };
    const answer = await execute(prepared, {}, { ...context, io });
    if (context.json) return answer;
    const diff = await changeOf(repository, env, io.stdout.colour);
    const receipt = answer.document as unknown as Receipt;
    const paint = createPaint(io.stdout.colour);
    const lines = [...outcomeLines(receipt, paint), ...endingLines(folder, flags, receipt, paint)];
    return { ...answer, text: `\n${diff}\n${lines.join("\n")}\n` };
  } finally {
    await server.close();
  }
}

/** The demo's own pi and kit configuration; nothing of the user's takes part. */
async function demoEnvironment(
  folder: string,
  fixtures: string,
  server: Awaited<ReturnType<typeof startModelServer>>,
  { io }: CommandContext,
): Promise<Record<string, string | undefined>> {
  const agentFolder = join(folder, "pi");
  const config = join(folder, "config");
  await mkdir(config, { recursive: true });
  await cp(join(fixtures, "demo", "models.local.yaml"), join(config, "models.local.yaml"));
  writePiAgentFolder(agentFolder, server);
  const noProxy = [io.env["NO_PROXY"], "127.0.0.1", "localhost"].filter(Boolean).join(",");
  return {
    ...io.env,
    PI_CODING_AGENT_DIR: agentFolder,
    KIT_CONFIG_DIR: config,
    KIT_STATE_DIR: join(folder, "state"),
    XDG_CACHE_HOME: join(folder, "cache"),
    NO_PROXY: noProxy,
    no_proxy: noProxy,
    PATH: io.env["PATH"] ?? ["/usr/bin", "/bin"].join(delimiter),
  };
}

async function commit(repository: string, env: Record<string, string | undefined>): Promise<void> {
  await git(repository, env, ["init", "--quiet", "--initial-branch=main"]);
  await git(repository, env, ["add", "--all"]);
  await git(repository, env, [
    "-c",
    "user.name=kit demo",
    "-c",
    "user.email=demo@example.invalid",
    "-c",
    "commit.gpgSign=false",
    "commit",
    "--quiet",
    "--message",
    "Start",
  ]);
}

async function changeOf(
  repository: string,
  env: Record<string, string | undefined>,
  colour: boolean,
): Promise<string> {
  const colours = colour ? "--color=always" : "--no-color";
  return git(repository, env, ["--no-pager", "diff", "--no-ext-diff", colours]);
}

async function git(
  cwd: string,
  env: Record<string, string | undefined>,
  args: readonly string[],
): Promise<string> {
  const { ended, stdout, stderr } = await runProcess({
    program: "git",
    args,
    cwd,
    env: gitEnvironment(env),
    label: "git",
  });
  if (ended.by === "exit" && ended.code === 0) return stdout.toString("utf8");
  throw new KitError("environment", `git ${args.join(" ")} failed: ${stderr.trim() || ended.by}`, {
    next: "The demo needs git 2.28 or newer: git --version",
  });
}

/** A demo's own ending: without --keep there is nothing left to look at or to take back. */
function endingLines(
  folder: string,
  { keep }: DemoFlags,
  receipt: Receipt,
  paint: Paint,
): string[] {
  const told =
    receipt.exitCode === 0
      ? "A real run; only the models were scripted, and nothing was paid."
      : "Not the run it should be. Only the models were scripted; nothing was paid.";
  if (!keep) {
    return [
      told,
      paint("quiet", "  its folder is gone again; kit demo --keep leaves it, with the records"),
      "next: propose bindings for your own models: kit init",
    ];
  }
  return [
    told,
    paint("quiet", `  repository: ${join(folder, "repository")}`),
    paint("quiet", `  records: ${receipt.runDir}`),
    "next: in that repository: git diff, kit show, kit undo",
  ];
}
