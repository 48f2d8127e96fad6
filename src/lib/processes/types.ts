/** A program with pipes: pi, git. */
export interface ProcessRequest {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment; nothing is inherited but kit's own process marker. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard input; absent: closed (`/dev/null`). A child that does not read it does no harm. */
  readonly input?: string | Uint8Array;
  /** The whole call. */
  readonly timeoutMs?: number;
  /** No byte on stdout or stderr for this long ends the call. */
  readonly idleTimeoutMs?: number;
  readonly signal?: AbortSignal;
  /** From SIGTERM to SIGKILL; default a second. More for a child that has something to put right. */
  readonly graceMs?: number;
  /**
   * Default 64 MiB; more ends the call by `overflow`. With `onStdoutLine` it bounds one line, as
   * then nothing is kept.
   */
  readonly maxStdoutBytes?: number;
  /**
   * Called for each line of stdout, split at LF only, without it; a last line without LF too.
   * Bytes, so no character is cut, and only lent: they are overwritten after the call. `stdout`
   * of the result is then empty.
   */
  readonly onStdoutLine?: (line: Buffer) => void;
  /** Shown in records (`pi`, `git`); default: the program's name. */
  readonly label?: string;
  /**
   * False for programs known to start no others (git's reading verbs): spares the search for
   * what they left behind. Default true.
   */
  readonly startsOthers?: boolean;
}

/** How a child ended: by itself, or by the limit that kit set. The limit wins over the signal. */
export type ProcessEnding =
  | { readonly by: "exit"; readonly code: number }
  | { readonly by: "signal"; readonly signal: string }
  | { readonly by: "deadline" }
  | { readonly by: "idle" }
  | { readonly by: "abort" }
  | { readonly by: "overflow" }
  | { readonly by: "spawn_error"; readonly code: string; readonly message: string };

export interface ProcessResult {
  readonly ended: ProcessEnding;
  /** Empty with `onStdoutLine`; at most `maxStdoutBytes`. */
  readonly stdout: Buffer;
  /** The last 64 KB. */
  readonly stderr: string;
  readonly durationMs: number;
  /** Command lines (shortened, redacted) of processes still alive after the child's own exit; they were ended. */
  readonly leftBehind: readonly string[];
}

/** A command whose output goes to a file: tests. */
export interface CommandRequest {
  /** A program with arguments, or a line for `/bin/sh -c`. */
  readonly command: { readonly argv: readonly string[] } | { readonly shell: string };
  readonly cwd: string;
  /** The complete environment; nothing is inherited but kit's own process marker. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute; replaced. Receives stdout and stderr in the order they were written, mode 0600. */
  readonly outputFile: string;
  /** Of a longer output the file keeps the start and the end, with a line between. */
  readonly maxOutputBytes: number;
  readonly timeoutMs: number;
  /** A file that has not grown for this long ends the command. */
  readonly idleTimeoutMs?: number;
  readonly signal: AbortSignal;
  /**
   * A program and its first arguments; the command's own follow them, a line as `/bin/sh -c LINE`.
   * It can tell the caller something on descriptor 3 (`CommandEnd.told`).
   */
  readonly through?: readonly string[];
  /** Shown in records; default: the program's name, or `sh`. */
  readonly label?: string;
}

export interface CommandEnd {
  readonly ended: ProcessEnding;
  readonly durationMs: number;
  /** All that was written, also what the file no longer holds. */
  readonly outputBytes: number;
  /** Bytes that were cut out of the middle. */
  readonly leftOutBytes: number;
  /** As in `ProcessResult`. */
  readonly leftBehind: readonly string[];
  /** What came on descriptor 3, its first 64 KB; empty without `through`. */
  readonly told: string;
}

/** What is published on the diagnostics channel `kit:process`. */
export interface ProcessAnnouncement {
  readonly phase: "start" | "end";
  /** Unique in this kit process; the same for start and end. */
  readonly id: string;
  readonly label: string;
  /** With `end`. */
  readonly durationMs?: number;
}
