import { KitError } from "../../contracts/index.ts";
import { userConfigFolder } from "../../lib/user-folders.ts";
import { canAsk, createAsker } from "../ask.ts";
import { type Answer, type CommandContext, defineCommand } from "../command.ts";
import { addRepoOption } from "../options.ts";
import { openProject, type Project } from "../project.ts";
import { type BindingsFile, readBindingsFile, writeBindingsFile } from "../setup/bindings-file.ts";
import { bindingsText, commentOf } from "../setup/bindings-text.ts";
import { type Finding, findModels, type FoundModel } from "../setup/find-models.ts";
import { type LocalEndpoint, namedEndpoint, usualEndpoints } from "../setup/local-endpoints.ts";
import { mergeBindings } from "../setup/merge-bindings.ts";
import { type ProposedBinding, proposeBindings } from "../setup/propose-bindings.ts";
import { alignColumns, createPaint } from "../views/format.ts";
import { lineDiff } from "../views/line-diff.ts";
import { printable } from "../views/printable.ts";

interface InitFlags {
  readonly repo?: string;
  readonly print?: true;
  readonly yes?: true;
  readonly replace?: true;
  readonly endpoint?: EndpointFlag;
}

/** `false`: none is asked. */
type EndpointFlag = readonly string[] | false | undefined;

/** What would be written, and where. */
interface Proposal {
  readonly file: BindingsFile;
  readonly findings: readonly Finding[];
  readonly proposed: readonly ProposedBinding[];
  /** Backends that are bound already and stay as they are. */
  readonly kept: readonly string[];
  readonly text: string;
}

export const command = defineCommand<InitFlags>({
  define(command) {
    addRepoOption(command)
      .option("--print", "print the file as it would be; nothing is written")
      .option("--yes", "write without a question")
      .option("--replace", "propose anew for backends that are bound already")
      .option<EndpointFlag>(
        "--endpoint <url>",
        "ask the model server at this address of this machine, in place of the usual ones; repeatable",
        // After --no-endpoint there is a `false` to begin with.
        (value, before) => [...(before === false ? [] : (before ?? [])), value],
      )
      .option("--no-endpoint", "ask no model server of this machine");
  },
  examples: [
    ["kit init", "finds models, proposes who is cheap and who is strong, and asks"],
    ["kit init --yes && kit doctor", "takes the proposal, and says whether it works"],
    ["kit init --endpoint http://127.0.0.1:9000/v1", "a model server at a port of your own"],
    ["kit init --print", "shows the file, and writes nothing"],
  ],
  async run(flags, context) {
    const { io, json } = context;
    const proposal = await propose(flags, context);
    const { file, proposed, text } = proposal;
    const isChange = text !== file.text;
    if (flags.print === true) return answer(proposal, { written: false }, text, 0);
    if (!json) io.stdout.write(`${shownLines(proposal, isChange, io).join("\n")}\n`);
    if (!isChange) {
      return answer(proposal, { written: false }, "Nothing to write.\nnext: kit doctor\n", 0);
    }
    if (!(await isAgreed(flags, context))) return answer(proposal, { written: false }, declined, 1);
    const backup = await writeBindingsFile(file, text, io.clock());
    const names = proposed.map(({ backend }) => backend).join(", ");
    const lines = [
      `Wrote ${file.path}: ${names}.`,
      ...(backup === undefined ? [] : [`What it held before is in ${backup}.`]),
      "next: see whether it works: kit doctor",
    ];
    return answer(proposal, { written: true, backup }, `${lines.join("\n")}\n`, 0);
  },
});

const declined = "Nothing was written. kit init asks on a terminal; kit init --yes does not ask.\n";

async function propose(flags: InitFlags, { io, signal }: CommandContext): Promise<Proposal> {
  const endpoints = endpointsOf(flags.endpoint);
  const project = await openProject(flags.repo === undefined ? {} : { repo: flags.repo }, io);
  requireOwnFiles(project);
  const { registry, settings } = project;
  const file = await readBindingsFile(userConfigFolder(io.env));
  const findings = await findModels({
    env: io.env,
    piProgram: settings.piProgram.value,
    endpoints,
    signal,
  });
  const models = findings.flatMap((finding) => finding.models);
  const kept = flags.replace === true ? [] : [...registry.bindings.keys()];
  const everywhere = proposeBindings(models, registry);
  const proposed = everywhere.filter(({ backend }) => !kept.includes(backend));
  if (proposed.length === 0 && kept.length === 0) throw nothingFound(findings, endpoints, models);
  return { file, findings, proposed, kept, text: textOf(file, proposed, models, findings) };
}

function endpointsOf(given: EndpointFlag): readonly LocalEndpoint[] {
  if (given === false) return [];
  return given === undefined ? usualEndpoints : given.map(namedEndpoint);
}

/** A file with errors would hide what init adds to it. */
function requireOwnFiles({ problems }: Project): void {
  const own = problems.filter(
    ({ severity, place }) => severity === "error" && /models[^/]*$/.test(place.file),
  );
  if (own.length === 0) return;
  throw new KitError("configuration", "The bindings that are there have errors.", {
    problems: own,
    next: "Mend the file named above, or move it away, and run kit init again",
  });
}

function textOf(
  file: BindingsFile,
  proposed: readonly ProposedBinding[],
  models: readonly FoundModel[],
  findings: readonly Finding[],
): string {
  if (file.text === undefined || file.text.trim() === "") {
    if (proposed.length === 0) return file.text ?? "";
    const from = findings.filter((finding) => finding.models.length > 0).map(({ name }) => name);
    return bindingsText(proposed, models, from.join(", "));
  }
  if (proposed.length === 0) return file.text;
  const merged = mergeBindings(file.text, proposed);
  if ("text" in merged) return merged.text;
  throw new KitError("configuration", `kit cannot add to ${file.path}: ${merged.refused}.`, {
    next: "Move it away and run kit init again, or add by hand what it then prints",
  });
}

function nothingFound(
  findings: readonly Finding[],
  endpoints: readonly LocalEndpoint[],
  models: readonly FoundModel[],
): KitError {
  const said = findings.map((finding) => `${finding.name}: ${finding.said}`);
  const ports = endpoints.map(({ baseUrl }) => new URL(baseUrl).port).join(", ");
  const servers = findings.some(({ models: own }) => own.some(({ isLocal }) => isLocal));
  const looked = [
    ...said,
    ...(servers || endpoints.length === 0
      ? []
      : [`no model server answers on this machine (ports ${ports})`]),
  ].join("; ");
  const what =
    models.length === 0 ? "Nothing here can call a model" : "No model here has room for a task";
  const [first = "Name an address: --endpoint URL"] = findings.flatMap(({ next }) => next ?? []);
  const signIn = first.includes("npm install") ? ", and sign in: start pi, then /login" : "";
  return new KitError("environment", `${what}: ${looked}.`, {
    next: `${first}${signIn}; or start a model server (ollama serve). Then: kit init`,
  });
}

async function isAgreed(
  { yes }: InitFlags,
  { io, json, signal }: CommandContext,
): Promise<boolean> {
  if (yes === true) return true;
  if (json || !canAsk(io)) return false;
  const asker = createAsker(io, signal);
  return asker.confirm("Write it?").finally(() => {
    asker.close();
  });
}

function shownLines(
  { file, findings, proposed, kept, text }: Proposal,
  isChange: boolean,
  io: CommandContext["io"],
): string[] {
  const paint = createPaint(io.stdout.colour);
  const found = findings.map(({ name, said, next }) => [name, said, next ?? ""]);
  const chosen = proposed.map((each) => {
    const { backend, model } = each;
    return [backend, `${model.provider}/${model.model}`, commentOf(each).trim()];
  });
  const shown = lineDiff(file.text ?? "", text, paint);
  return [
    "found",
    ...alignColumns(found, "  "),
    ...(chosen.length === 0 ? [] : ["", "proposed", ...alignColumns(chosen, "  ")]),
    ...(kept.length === 0 ? [] : ["", `bound already, left as they are: ${kept.join(", ")}`]),
    ...(isChange ? ["", file.path, ...(file.text === undefined ? [text] : shown)] : [""]),
  ].map((line) => line.split("\n").map(printableLine).join("\n"));
}

/** Colours are kit's own; names of models are not. */
function printableLine(line: string): string {
  // oxlint-disable-next-line no-control-regex -- the escapes that `paint` puts around a line
  const [, open = "", middle = line, close = ""] =
    /^(\x1b\[\d+m)(.*)(\x1b\[\d+m)$/.exec(line) ?? [];
  return `${open}${printable(middle)}${close}`;
}

function answer(
  { file, findings, proposed, kept, text }: Proposal,
  { written, backup }: { readonly written: boolean; readonly backup?: string | undefined },
  said: string,
  exitCode: 0 | 1,
): Answer {
  const models = findings.flatMap((finding) => finding.models);
  return {
    exitCode,
    document: {
      file: file.path,
      written,
      ...(backup !== undefined && { backup }),
      yaml: text,
      found: findings.map(({ name, said: what, next, models: own }) => {
        return { name, said: what, models: own.length, ...(next !== undefined && { next }) };
      }),
      backends: proposed.map(({ backend, model, because }) => {
        const { adapter, provider, model: id } = model;
        return { backend, adapter, provider, model: id, because };
      }),
      kept,
      models,
    },
    text: said,
  };
}
