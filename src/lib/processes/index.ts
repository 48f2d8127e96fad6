// Starts every child that kit starts, sets its limits, and leaves none behind however it ends.
// What runs, with which environment, and what its output means is left to the callers.
// Children are announced on the diagnostics channel `kit:process` (`ProcessAnnouncement`).
export { mayBeAlive, ownIdentity, type ProcessIdentity } from "./identity.ts";
export { isProcessMarker, processMarker } from "./marker.ts";
export { runProcess } from "./run-process.ts";
export { runToFile } from "./run-to-file.ts";
export { endProcessesMarked } from "./tree.ts";
export type {
  CommandEnd,
  CommandRequest,
  ProcessAnnouncement,
  ProcessEnding,
  ProcessRequest,
  ProcessResult,
} from "./types.ts";
