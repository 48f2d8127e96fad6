import type { RecordedEvent } from "../../../src/contracts/index.ts";

/** A run that is over, as pi shows it and its model reads it. */
export interface KitSummary {
  /** The tests are green, or the user allowed an untested change. */
  readonly ok: boolean;
  readonly text: string;
  readonly details: {
    readonly exitCode: number | null;
    readonly outcome?: string;
    readonly runId?: string;
    readonly changedFiles?: readonly string[];
  };
}

/** pi asks tools to be short; kit's own words never come near this. */
const maxChars = 4_000;

/** What one event of `kit run --events` adds to the progress; most add nothing. */
export function progressLine(event: RecordedEvent): string | undefined {
  switch (event.type) {
    case "attempt_started": {
      const { provider, model } = event.candidate;
      return `${event.step} ${event.attempt}: ${provider}/${model}`;
    }
    case "call_finished":
      return event.ok ? undefined : `${event.step}: ${event.failure?.message ?? "no reply"}`;
    case "baseline":
      return `tests before the change: ${event.green ? "green" : "red"}`;
    case "pack_ready":
      return `Context Pack: ${event.files} file(s)`;
    case "verdict":
      return `tests: ${event.summary}`;
    case "waiting":
      return `waiting ${Math.round(event.ms / 1000)} s: ${event.reason}`;
    case "rolled_back":
      return "the change was undone";
    case "note":
      return event.level === "warning" ? event.message : undefined;
    default:
      return undefined;
  }
}

/** A line of the event stream; undefined where it is none. */
export function readEvent(line: string): RecordedEvent | undefined {
  const event = parsed(line);
  return typeof event?.["type"] === "string" ? (event as unknown as RecordedEvent) : undefined;
}

/**
 * The end of a run from what `kit run --json` printed; without a document from what it said.
 *
 * @param exitCode null: a signal ended it
 */
export function summarise(stdout: string, stderr: string, exitCode: number | null): KitSummary {
  const document = parsed(stdout);
  if (document === undefined) {
    const said = stderr.trim().split("\n").slice(-5).join("\n");
    const how = exitCode === null ? "was ended by a signal" : `ended with exit ${exitCode}`;
    return { ok: false, text: clean(`kit ${how}.\n${said}`), details: { exitCode } };
  }
  const error = document["error"] as { message?: string; next?: string | null } | undefined;
  const next = error?.next ? [`Next: ${error.next}`] : [];
  if (typeof document["outcome"] !== "string") {
    const text = [`kit did not start: ${error?.message ?? ""}`, ...next].join("\n");
    return { ok: false, text: clean(text), details: { exitCode } };
  }
  const { outcome, runId, changedFiles, gate } = document as unknown as Receipt;
  const ok = exitCode === 0;
  const left = changedFiles.length === 0 ? "nothing" : changedFiles.join(", ");
  const lines = [
    `kit: ${outcome}${error?.message === undefined ? "" : `: ${error.message}`}`,
    ...(gate?.change ? [`Tests: ${gate.change.summary}`] : []),
    `Changed: ${left}`,
    ...(ok ? [`Take it back: kit undo ${runId}`] : [...next, `More: kit show ${runId}`]),
  ];
  return {
    ok,
    text: clean(lines.join("\n")),
    details: { exitCode, outcome, runId, changedFiles },
  };
}

/** The part of kit's receipt that is told. */
interface Receipt {
  readonly outcome: string;
  readonly runId: string;
  readonly changedFiles: readonly string[];
  readonly gate?: { readonly change: { readonly summary: string } | null };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Text of models and tests may hold what a terminal acts on. */
export function clean(text: string): string {
  const plain = text.replace(
    /[\0-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g,
    " ",
  );
  return plain.length <= maxChars ? plain : `${plain.slice(0, maxChars)} …`;
}
