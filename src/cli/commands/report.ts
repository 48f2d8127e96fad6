import { dirname, join, resolve } from "node:path";
import { KitError } from "../../contracts/index.ts";
import { generatorMark, objectsOf, renderOverview, renderRunReport } from "../../report/index.ts";
import { readRun, type RunRead } from "../../runs/index.ts";
import { defineCommand } from "../command.ts";
import { type History, openHistory } from "../history.ts";
import { addRepoOption } from "../options.ts";
import type { ProjectRequest } from "../project.ts";
import { headline } from "../views/run-summary.ts";
import { moveText } from "../views/run-narrator.ts";
import { overviewOf } from "../overview.ts";
import { kitVersion } from "../package.ts";
import { writePage } from "../write-page.ts";
import { formatCount } from "../views/format.ts";

interface ReportFlags extends Pick<ProjectRequest, "repo"> {
  readonly output?: string;
  readonly force?: true;
  readonly all?: true;
}

export const command = defineCommand<ReportFlags>({
  define(command) {
    command.argument(
      "[id]",
      "an id, its start or its last four characters; the newest when absent",
    );
    addRepoOption(command)
      .option("-o, --output <file>", "where to write it; beside the run's records when absent")
      .option("--all", "every run of the repository, over time and by model")
      .option("--force", "replaces a file that is no report of kit");
  },
  examples: [
    ["kit report", "the newest run as one HTML file, beside its records"],
    ["kit report k3f9 -o run.html", "another run, to send to somebody"],
    ["kit report --all", "what all runs came to, and what each model did and cost"],
  ],
  async run({ repo, output, force, all }, { io, args: [id] }) {
    if (all && id !== undefined) {
      throw new KitError("usage", "--all is about every run: it takes no id.", {
        next: "Leave one of the two out",
      });
    }
    const history = await openHistory(repo, io);
    const { page, beside } = all
      ? await overviewPage(history)
      : await runPage(history, id === undefined ? id : String(id));
    const path = output === undefined ? beside : resolve(io.cwd, output);
    const bytes = await writePage({
      path,
      page,
      mark: generatorMark,
      isPrivate: output === undefined,
      force: force === true,
    });
    return {
      exitCode: 0,
      document: { path, bytes },
      text: `${path}  ${formatCount(Math.ceil(bytes / 1000))} kB\n`,
    };
  },
});

/** A page, and where it goes unless somebody says. */
interface Rendered {
  readonly page: string;
  readonly beside: string;
}

async function overviewPage({ runsFolder }: History): Promise<Rendered> {
  const root = dirname(dirname(runsFolder));
  const overview = await overviewOf(runsFolder, root, kitVersion());
  if (overview.runs.length === 0) {
    throw new KitError("not_found", "There are no runs here yet.", {
      next: 'Start one: kit run --task "…"',
    });
  }
  return { page: renderOverview(overview), beside: join(runsFolder, "report.html") };
}

async function runPage({ runsFolder, running }: History, id?: string): Promise<Rendered> {
  const run = await readRun(runsFolder, id);
  const { receipt, events, damaged, newer } = run;
  const page = renderRunReport({
    receipt,
    events,
    headline: headline(receipt),
    isRunning: run.id === running,
    unread: damaged + newer,
    objects: await objectTexts(run),
    moveText,
  });
  return { page, beside: join(run.folder, "report.html") };
}

/** A record may have lost some: the report says what is missing. */
async function objectTexts(run: RunRead): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const hash of objectsOf(run.events)) {
    const bytes = await run.object(hash).catch(() => undefined);
    if (bytes) texts.set(hash, bytes.toString("utf8"));
  }
  return texts;
}
