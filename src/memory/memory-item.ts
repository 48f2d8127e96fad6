import {
  type Confidence,
  maxSummaryChars,
  type MemoryItem,
  sharedProject,
  type SourceType,
  sourceTypes,
} from "./item.ts";
import { redact } from "../lib/redaction.ts";

/** A fact that people keep in `.kit/memory/ID.md`. */
export interface MemoryRecord {
  readonly id: string;
  readonly summary: string;
  /** `operator`: holds for every project of this user. */
  readonly scope: string;
  /** `evidence` stays evidence; anything else is an instruction. */
  readonly authority: string;
  readonly confidence: Confidence;
  /** Everything but `active` is superseded. */
  readonly lifecycle: string;
  /** Who says it; unknown: git. */
  readonly source?: string;
}

/** A fact as an item. Whether its file may be believed is decided before. */
export function memoryItem(project: string, record: MemoryRecord): MemoryItem {
  return {
    id: `mem_${record.id}`,
    kind: "knowledge",
    project: record.scope === "operator" ? sharedProject : project,
    summary: redact(record.summary).slice(0, maxSummaryChars),
    provenance: { sourceType: sourceTypeOf(record.source), sourceRef: `memory:${record.id}.md` },
    authority: record.authority === "evidence" ? "evidence" : "instruction",
    confidence: record.confidence,
    status: record.lifecycle === "active" ? "current" : "superseded",
    scope: record.scope,
  };
}

function sourceTypeOf(source: string | undefined): SourceType {
  return sourceTypes.find((known) => known === source) ?? "git";
}
