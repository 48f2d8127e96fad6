import { wordsOf } from "../lib/words.ts";
import type { MemoryItem } from "./item.ts";
import { journalItem, journalItemId } from "./journal-item.ts";
import type { JournaledRun } from "./run-entries.ts";
import { type JournalCategory, roleOf } from "./roles.ts";

/** What is known of a repository when a role asks. */
export interface Memory {
  /** Name of the repository's folder; only tells its items from those of others. */
  readonly project: string;
  /** The journal, oldest first. */
  readonly runs: readonly JournaledRun[];
  /** Facts that may be used. */
  readonly facts: readonly MemoryItem[];
}

/** The items an arbiter selects from. */
export interface Pool {
  readonly items: readonly MemoryItem[];
  /** Open contradictions. */
  readonly contradictionIds: readonly string[];
  /** Items that tell of a failed attempt. */
  readonly errorIds: ReadonlySet<string>;
}

/** A disagreement that no run has met for this long is nobody's concern any more. */
const openForRuns = 10;

/** The items of a memory that a role receives; without a role, all of them. */
export function poolOf({ project, runs, facts }: Memory, role?: string): Pool {
  const categories = role === undefined ? undefined : roleOf(role).categories;
  const isReceived = (category: JournalCategory): boolean =>
    categories === undefined || categories.includes(category);
  const entries = runs.flatMap((run) => run.entries).filter(({ category }) => isReceived(category));
  const recent = new Set(runs.slice(-openForRuns).flatMap((run) => run.entries));
  const idsOf = (wanted: JournalCategory, among = entries): string[] =>
    among.filter(({ category }) => category === wanted).map(journalItemId);
  const items = [
    ...runs.map((run) => episodeItem(project, run)),
    ...entries.map((entry) => journalItem(project, entry)),
    ...facts,
  ];
  return {
    items: [...new Map(items.map((item) => [item.id, item])).values()],
    contradictionIds: idsOf(
      "contradiction",
      entries.filter((entry) => recent.has(entry)),
    ),
    errorIds: new Set(idsOf("error")),
  };
}

/** Related runs that count; older ones tell of another state of the code. */
const relatedCount = 10;

/** The newest runs whose tasks have words in common with this one: others would only cost tokens. */
export function relatedRuns(memory: Memory, task: string): Memory {
  const wanted = new Set(wordsOf(task));
  const runs = memory.runs.filter((run) => {
    const words = wordsOf(run.task);
    const shared = words.filter((word) => wanted.has(word)).length;
    return run.task === task.trim() || shared * 3 > Math.min(words.length, wanted.size);
  });
  return { ...memory, runs: runs.slice(-relatedCount) };
}

function episodeItem(project: string, run: JournaledRun): MemoryItem {
  return {
    id: `episode_${run.id}`,
    kind: "episode",
    project,
    summary: run.episode,
    provenance: { sourceType: "workflow", sourceRef: `run:${run.id}` },
    authority: "evidence",
    confidence: run.outcome === "success" ? "verified" : "probable",
    observedAt: run.at,
    evidenceRefs: [`run:${run.id}`],
  };
}
