/**
 * What is handed over? Reads, checks, normalizes, writes, prunes and grows Context Packs.
 * It runs no command and opens no file: what exists, what is known and what files hold is given.
 * Who writes a pack, and what happens to a bad one, is left to the pipeline.
 */
export { budgetOf, isOverBudget, measurePack, type PrunedPack, prunePack } from "./budget.ts";
export { profileTokens } from "./budget-profiles.ts";
export { type CheckedPack, checkPackFile, checkPackReply } from "./check.ts";
export type { PackDraft } from "./codec.ts";
export { completenessOf, withComputedFields } from "./completeness.ts";
export { addFileToPack, addObservedError, addPreviousAttempt, addTaskLimits } from "./grow.ts";
export { contextPackSchemas } from "./json-schema.ts";
export { loadPack } from "./load.ts";
export { normalizePack, type PackFacts } from "./normalize/normalize.ts";
export type { PackReport } from "./normalize/report.ts";
export { describePackErrors, type PackError, type PackNote } from "./pack-error.ts";
export { packFromJson } from "./json.ts";
export { type DraftResult, parsePack, type ParseOptions } from "./parse.ts";
export type { PackResult } from "./reading.ts";
export { packToJson, renderJson, renderPack } from "./render.ts";
export type { RepositoryFiles } from "./repository-files.ts";
export { type CheckFacts, type PackFinding, type SelfCheck, selfCheckPack } from "./self-check.ts";
export { type ShrunkPack, shrinkPack } from "./shrink.ts";
export { validatePack } from "./validate.ts";
export { fromVersion1, toVersion1, type Version1Rendering } from "./version1.ts";
