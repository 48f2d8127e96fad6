import { basename, join } from "node:path";
import { codeOf } from "../lib/files.ts";
import { type FactsRead, type Memory, readFacts, readJournal } from "../memory/index.ts";
import { journalFile } from "../pipeline/index.ts";
import type { OpenRepository } from "./project.ts";

/** What earlier runs of a repository left, and the facts that take no part. */
export interface OpenMemory {
  readonly memory: Memory;
  readonly facts: FactsRead;
  /** Lines of the journal that could not be read. */
  readonly unreadable: number;
}

/** Reads journal and facts of a repository; writes nothing. */
export async function openMemory({ root, git }: OpenRepository): Promise<OpenMemory> {
  const [journal, facts] = await Promise.all([
    readJournal(journalFile(join(root, ".kit", "runs"))).catch((error: unknown) => {
      // A help that cannot be read is no reason not to work.
      if (codeOf(error) === undefined) throw error;
      return { runs: [], unreadable: 1 };
    }),
    readFacts(root, git),
  ]);
  return {
    memory: { project: basename(root), runs: journal.runs, facts: [] },
    facts,
    unreadable: journal.unreadable,
  };
}
