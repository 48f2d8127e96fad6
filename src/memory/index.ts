/**
 * What do earlier runs contribute? Items from journal, facts and skills, the arbiter that selects
 * among them for a role, the audit of its choice, and what of it becomes part of a pack.
 * Which runs there were is left to runs, when to ask to the pipeline, what people see to cli.
 */
export {
  type Arbitration,
  type ContextAudit,
  type ContextPacket,
  type ContextRequest,
  type LeftOut,
  selectContext,
} from "./arbiter.ts";
export { additionsFor, recallFor } from "./contribution.ts";
export { type Explanation, explainItem } from "./explain.ts";
export { type FactRead, type FactsRead, readFact, readFacts } from "./facts.ts";
export { type ItemKind, itemKinds, type MemoryItem } from "./item.ts";
export { appendToJournal, type Journal, readJournal } from "./journal-file.ts";
export { type JournalEntry, journalItem } from "./journal-item.ts";
export { memoryItem, type MemoryRecord } from "./memory-item.ts";
export { type Memory, poolOf, relatedRuns } from "./pool.ts";
export { type FinishedRun, type JournaledRun, journaledRun } from "./run-entries.ts";
export { type Recalled, searchItems } from "./search.ts";
export { type PromotedSkill, skillItems } from "./skills.ts";
