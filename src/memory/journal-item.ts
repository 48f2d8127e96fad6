import { redact } from "../lib/redaction.ts";
import { type ItemKind, maxEvidenceRefs, maxSummaryChars, type MemoryItem } from "./item.ts";
import type { JournalCategory } from "./roles.ts";

/** One thing a finished run has to tell. */
export interface JournalEntry {
  readonly id: string;
  readonly category: JournalCategory;
  readonly summary: string;
  readonly severity: "info" | "warning" | "error";
  /** Where it can be looked up: `run:ID`, `attempts/coder-1`. */
  readonly evidence: readonly string[];
  /** The step of the run it belongs to. */
  readonly stageId?: string;
  /** ISO time. */
  readonly createdAt: string;
}

const maxRefChars = 200;

const kinds: Readonly<Partial<Record<JournalCategory, ItemKind>>> = {
  plan: "knowledge",
  decision: "knowledge",
  lesson: "knowledge",
  "skill-candidate": "skill",
};

/** A journal entry as an item: always evidence, never a rule, whatever it says. */
export function journalItem(project: string, entry: JournalEntry): MemoryItem {
  const kind = kinds[entry.category] ?? "evidence";
  return {
    id: journalItemId(entry),
    kind,
    project,
    summary: redact(entry.summary).slice(0, maxSummaryChars),
    provenance: { sourceType: "workflow", sourceRef: `journal:${entry.id}` },
    authority: "evidence",
    confidence: "probable",
    ...(kind === "skill" && { status: "proposed" }),
    ...(entry.stageId !== undefined && { observedAt: entry.createdAt }),
    evidenceRefs: evidenceRefs(entry.evidence),
  };
}

export function journalItemId({ id }: Pick<JournalEntry, "id">): string {
  return `journal_${id}`;
}

/** The same reference twice is one; empty ones and those over 200 characters are none. */
function evidenceRefs(refs: readonly string[]): readonly string[] {
  const sound = refs.filter(({ length }) => length > 0 && length <= maxRefChars);
  return [...new Set(sound)].slice(0, maxEvidenceRefs);
}
