/**
 * What is handed over? Reads, checks, normalizes, writes and grows Context Packs, version 1 and 2.
 * It runs no command and opens no file: what exists, what is known and what files hold is given.
 * Who writes a pack and what happens to a bad one is left to the pipeline.
 */
export { packFromJson, type PackResult } from "./parse.ts";
export { loadPack } from "./load.ts";
export { packToJson, renderJson, renderPack } from "./render.ts";
export { describePackErrors, type PackError, type PackNote } from "./pack-error.ts";
export { fromVersion1, toVersion1, type Version1Rendering } from "./version1.ts";
export { validatePack } from "./validate.ts";
export { addFileToPack, addObservedError, addPreviousAttempt, addTaskLimits } from "./grow.ts";
