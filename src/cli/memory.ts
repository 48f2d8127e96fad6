import { basename, join } from "node:path";
import { codeOf } from "../lib/files.ts";
import {
  type FactsRead,
  type Memory,
  memoryItem,
  readFacts,
  readJournal,
} from "../memory/index.ts";
import { journalFile } from "../pipeline/index.ts";
import type { Io } from "./io.ts";
import { layerFiles, openLayer, type OpenLayer } from "./layer.ts";
import { openRepository, type OpenRepository } from "./project.ts";

/** What earlier runs of a repository left, and its facts with the reason why they take part or not. */
export interface OpenMemory {
  readonly memory: Memory;
  readonly facts: FactsRead;
  /** Lines of the journal that could not be read. */
  readonly unreadable: number;
}

/** Reads journal and facts of a repository; writes nothing. */
export async function openMemory(
  { root, git }: Pick<OpenRepository, "root" | "git">,
  layer: OpenLayer,
): Promise<OpenMemory> {
  const [journal, facts] = await Promise.all([
    readJournal(journalFile(join(root, ".kit", "runs"))).catch((error: unknown) => {
      // A help that cannot be read is no reason not to work.
      if (codeOf(error) === undefined) throw error;
      return { runs: [], unreadable: 1 };
    }),
    readFacts(layerFiles(layer), git),
  ]);
  const project = basename(root);
  const used = facts.facts.filter((fact) => fact.used);
  return {
    memory: {
      project,
      runs: journal.runs,
      facts: used.map(({ record }) => memoryItem(project, record)),
    },
    facts,
    unreadable: journal.unreadable,
  };
}

/** The same for commands that need no configuration; `repo` is `--repo`. */
export async function memoryOf(repo: string | undefined, io: Io): Promise<OpenMemory> {
  const repository = await openRepository(repo, io);
  return openMemory(repository, await openLayer(repository.root, io));
}
