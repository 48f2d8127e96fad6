import { codeOf } from "./files.ts";

/** A fault of the machine, for people. */
export interface SystemFault {
  /** Without a full stop. */
  readonly fault: string;
  /** What mends it, as a sentence. */
  readonly mend: string;
}

const permission: SystemFault = {
  fault: "Permission denied",
  mend: "Give yourself the right to write there, or work on a copy.",
};

/** What the system says when the machine, not kit, is at fault: its error code → words. */
const systemFaults: Readonly<Record<string, SystemFault>> = {
  ENOSPC: { fault: "The disk is full", mend: "Free some disk space and run kit again." },
  EDQUOT: {
    fault: "The disk quota is used up",
    mend: "Free some of your disk quota and run kit again.",
  },
  EROFS: {
    fault: "The file system is read-only",
    mend: "Mount the file system for writing, or work on a copy.",
  },
  EACCES: permission,
  EPERM: permission,
  EMFILE: {
    fault: "Too many open files",
    mend: "Raise the limit of open files (ulimit -n) and run kit again.",
  },
  EIO: { fault: "The disk failed", mend: "Check the disk, and work on a copy on another one." },
};

/** The fault that a thrown error stands for; undefined for one that is no fault of the machine. */
export function systemFaultOf(error: unknown): SystemFault | undefined {
  return error instanceof Error ? systemFaults[codeOf(error) ?? ""] : undefined;
}
