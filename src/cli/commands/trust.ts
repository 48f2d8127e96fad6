import { realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { describeProjectLayer, type TrustRecord, trustStore } from "../../config/index.ts";
import { KitError } from "../../contracts/index.ts";
import { commandText } from "../../gate/index.ts";
import { redact } from "../../lib/redaction.ts";
import { userStateFolder } from "../../lib/user-folders.ts";
import { canAsk, createAsker } from "../ask.ts";
import { type Answer, type CommandContext, defineCommand } from "../command.ts";
import { giveTrust } from "../give-trust.ts";
import type { Io } from "../io.ts";
import { openLayer, standingDocument } from "../layer.ts";
import { commandLine } from "../options.ts";
import { openProject, openRepository, type Project } from "../project.ts";
import { findCommands, type KnownScript, scriptText } from "../test-commands.ts";
import { printable } from "../views/printable.ts";
import { problemLines } from "../views/problem-text.ts";
import { layerLines } from "../views/trust.ts";

interface TrustFlags {
  readonly command?: readonly string[];
  readonly yes?: true;
  readonly list?: true;
  readonly revoke?: true;
}

export const command = defineCommand<TrustFlags>({
  define(command) {
    command
      .argument("[folder]", "the repository (default: the folder kit is started in)")
      .option("--command <line>", "trusts this test command here too; repeatable", commandLine)
      .option("--yes", "trusts what is shown without a question")
      .option("--list", "lists what is trusted, in every repository")
      .option("--revoke", "takes the trust in a repository back");
  },
  examples: [
    ["kit trust", "shows the repository's own configuration and test scripts, and asks"],
    ["kit trust --yes", "the same without a question, for a machine that you set up"],
    ['kit trust --yes --command "pytest -q tests/unit"', "lets a command run that a pack names"],
    ["kit trust --list", "what is trusted, and whether it is still what you saw"],
    ["kit trust --revoke", "nothing of this repository is trusted any more"],
  ],
  async run(flags, context) {
    const [given] = context.args;
    const folder = given === undefined ? undefined : String(given);
    if ([flags.yes, flags.list, flags.revoke].filter((each) => each === true).length > 1) {
      throw new KitError("usage", "--yes, --list and --revoke exclude each other.", {
        next: "Give one of them",
      });
    }
    if (flags.list === true) return list(context.io);
    const answer =
      flags.revoke === true ? revoke(folder, context.io) : trust(folder, flags, context);
    return answer.catch((error: unknown) => {
      throw inOwnWords(error);
    });
  },
});

/** Other commands take the folder with `--repo`. */
function inOwnWords(error: unknown): unknown {
  if (!(error instanceof KitError) || error.kind !== "usage") return error;
  return new KitError("usage", error.message, {
    cause: error,
    next: "Give the folder of a repository: kit trust FOLDER",
  });
}

async function trust(
  folder: string | undefined,
  flags: TrustFlags,
  { io, json, signal }: CommandContext,
): Promise<Answer> {
  const project = await openProject(folder === undefined ? {} : { repo: folder }, io);
  const { layer, root } = project;
  const { scripts } = await findCommands(project, { flags: [] }, io);
  const open = scripts.filter(({ trusted, text }) => trusted !== text);
  const commands = (flags.command ?? []).map((line) => line.trim());
  const offersLayer = layer.trust.state === "new" || layer.trust.state === "changed";
  const isAsked = offersLayer || open.length > 0 || commands.length > 0;
  const shown = lines(project, scripts, commands);
  if (!json) io.stdout.write(`${shown.join("\n")}\n`);
  // Who brings what is refused is trusted in nothing: a yes to the rest would read as one to all.
  const isRefused = layer.trust.state === "refused";
  let isGiven = isAsked && !isRefused && flags.yes === true;
  if (isAsked && !isRefused && !isGiven && !json && canAsk(io)) {
    const asker = createAsker(io, signal);
    isGiven = await asker.confirm("Trust this?").finally(() => {
      asker.close();
    });
  }
  if (isGiven) {
    const texts = Object.fromEntries(open.map(({ manifest, text }) => [manifest, text]));
    await giveTrust(root, { ...(offersLayer && { layer }), commands, scripts: texts }, io);
  }
  const now = await openLayer(root, io);
  return {
    exitCode: (isAsked && !isGiven) || isRefused ? 1 : 0,
    document: {
      root,
      given: isGiven,
      ...standingDocument(now.trust),
      files: [...layer.content.files.keys()].map((path) => `.kit/${path}`),
      proposedCommands: project.projectCommands?.value ?? [],
      commands: now.record?.commands.map((each) => each.command) ?? [],
      scripts: scripts.map(({ manifest, text, command: each }) => ({
        manifest,
        command: commandText(each),
        script: redact(text),
        trusted: now.record?.scripts[manifest] === text,
      })),
      problems: ownProblems(project),
    },
    ...(!json && { text: `${ending(isAsked, isGiven, isRefused)}\n` }),
  };
}

function ending(isAsked: boolean, isGiven: boolean, isRefused: boolean): string {
  if (isRefused) return "Not trusted: what is refused above has to go first.";
  if (!isAsked) return "There is nothing new to trust.";
  return isGiven
    ? "Trusted. A change asks again; kit trust --revoke takes it back."
    : "Not trusted. kit trust asks on a terminal; kit trust --yes does not ask.";
}

/** What a person is asked to trust. */
function lines(
  project: Project,
  scripts: readonly KnownScript[],
  commands: readonly string[],
): string[] {
  const { layer, root, projectCommands } = project;
  const report = describeProjectLayer(layer.content, layer.trust);
  const proposed = projectCommands?.value ?? [];
  const at = projectCommands?.line === undefined ? "" : `:${projectCommands.line}`;
  return [
    printable(root),
    "",
    printable(report?.note ?? "There is no .kit of this repository."),
    ...layerLines(layer),
    ...(proposed.length === 0 ? [] : ["", `test commands of .kit/kit.yaml${at}`]),
    ...proposed.map((line) => `  ${printable(line)}`),
    ...(scripts.length === 0
      ? []
      : ["", "test scripts of manifests (they run without trust; once trusted, a change asks)"]),
    ...scripts.map((script) => `  ${scriptLine(script)}`),
    ...(commands.length === 0 ? [] : ["", "further commands"]),
    ...commands.map((line) => `  ${printable(line)}`),
    ...problemLines(ownProblems(project)).map(printable),
    "",
  ];
}

function scriptLine({ command: of, manifest, text, trusted }: KnownScript): string {
  const now = `${commandText(of)} (${manifest}): ${scriptText(text)}`;
  if (trusted === undefined) return now;
  return trusted === text ? `${now} – trusted` : `${now} – you trusted: ${scriptText(trusted)}`;
}

function ownProblems({ problems, layer }: Project): Project["problems"] {
  return problems.filter(({ place }) => place.file.startsWith(`${layer.content.folder}/`));
}

async function list(io: Io): Promise<Answer> {
  const records = await trustStore(userStateFolder(io.env)).list();
  const repositories = await Promise.all(records.map((record) => standing(record, io)));
  const told = repositories.flatMap(({ root, commands, scripts, ...layer }) => [
    `${printable(root)}  ${layerText(layer, commands.length + scripts.length)}`,
    ...commands.map((line) => `  command ${printable(line)}`),
    ...scripts.map(({ manifest, script }) => `  ${printable(manifest)}: ${scriptText(script)}`),
  ]);
  return {
    exitCode: 0,
    document: { repositories },
    text: told.length === 0 ? "No repository is trusted.\n" : `${told.join("\n")}\n`,
  };
}

interface Standing {
  readonly root: string;
  readonly state: "gone" | Project["layer"]["trust"]["state"];
  readonly since: string | null;
  readonly commands: readonly string[];
  readonly scripts: readonly { readonly manifest: string; readonly script: string }[];
}

/** How a repository's `.kit` stands; where there is none, the yes may be to commands alone. */
function layerText({ state, since }: Pick<Standing, "state" | "since">, others: number): string {
  if (state === "none") return others > 0 ? "this alone:" : "its .kit is gone";
  return `${state}${since === null ? "" : `, since ${since.slice(0, 10)}`}`;
}

async function standing(record: TrustRecord, io: Io): Promise<Standing> {
  const { root, layer, commands, scripts } = record;
  const isThere = statSync(root, { throwIfNoEntry: false })?.isDirectory() === true;
  return {
    root,
    state: isThere ? (await openLayer(root, io)).trust.state : "gone",
    since: layer?.since ?? null,
    commands: commands.map((each) => each.command),
    scripts: Object.entries(scripts).map(([manifest, script]) => ({ manifest, script })),
  };
}

async function revoke(folder: string | undefined, io: Io): Promise<Answer> {
  const root = await rootOf(folder, io);
  const revoked = await trustStore(userStateFolder(io.env)).remove(root);
  const what = printable(root);
  return {
    exitCode: revoked ? 0 : 1,
    document: { root, revoked },
    text: revoked
      ? `Nothing of ${what} is trusted any more.\n`
      : `Nothing of ${what} was trusted.\n`,
  };
}

/** A repository that is gone can be forgotten too: its path as it was, links resolved. */
async function rootOf(folder: string | undefined, io: Io): Promise<string> {
  const path = resolve(io.cwd, folder ?? ".");
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) {
    return (await openRepository(folder, io)).root;
  }
  const parent = dirname(path);
  const isThere = statSync(parent, { throwIfNoEntry: false }) !== undefined;
  return isThere ? resolve(realpathSync(parent), path.slice(parent.length + 1)) : path;
}
