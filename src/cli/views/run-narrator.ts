import type { CandidateName, RecordedEvent } from "../../contracts/index.ts";
import { changeRow } from "./change-row.ts";
import { alignColumns, counted, formatCost, formatDuration, formatUsage } from "./format.ts";
import type { Move } from "../../pipeline/index.ts";
import type { Paint } from "./format.ts";
import { printableDeep } from "./printable.ts";

/** How much is told: `quiet` nothing but warnings, `verbose` also waits, processes and reports. */
export type Detail = "quiet" | "normal" | "verbose";

/** What one event adds to the display. */
export interface Telling {
  readonly lines: readonly string[];
  /** What goes on from now on, for the line that moves; null: nothing; absent: as before. */
  readonly activity?: string | null;
}

type EventOf<T extends RecordedEvent["type"]> = Extract<RecordedEvent, { type: T }>;
type Teller<T extends RecordedEvent["type"]> = (event: EventOf<T>) => Telling;
type Tellers = { readonly [T in RecordedEvent["type"]]: Teller<T> };

const silent: Telling = { lines: [] };

/** Tells a run event by event, each once and in order: what it answers depends on the earlier ones. */
export function createRunNarrator(paint: Paint, detail: Detail): (event: RecordedEvent) => Telling {
  const tellers = createTellers(paint, detail);
  return (event) => {
    const teller = tellers[event.type] as Teller<RecordedEvent["type"]>;
    const telling = teller(printableDeep(event));
    const isWarning = event.type === "note" && event.level === "warning";
    if (detail !== "quiet" || isWarning) return telling;
    return { ...telling, lines: [] };
  };
}

function createTellers(paint: Paint, detail: Detail): Tellers {
  const candidates = new Map<string, CandidateName>();
  /** What the last call or gate said: an attempt that ends with it need not say it again. */
  let said = "";
  const good = (text: string): string => `${paint("good", "✓")} ${text}`;
  const bad = (text: string): string => `${paint("bad", "✗")} ${text}`;
  const quiet = (text: string): string => paint("quiet", text);
  const verbose = (...lines: readonly string[]): Telling => ({
    lines: detail === "verbose" ? lines.map(quiet) : [],
  });
  const attempt = ({ step, attempt }: { step: string; attempt: number }): string =>
    `${step} ${attempt}`;

  return {
    run_started: ({ runId, kitVersion, task }) => ({
      lines: [paint("strong", firstLine(task)), quiet(`kit ${kitVersion} · run ${runId}`)],
    }),
    run_resumed: ({ changed }) => ({
      lines: [
        quiet("resumed: what is done already is taken from the record"),
        ...(changed.length === 0
          ? []
          : [
              paint(
                "warning",
                `! changed since the run began, so the tests run again: ${changed.join(", ")}`,
              ),
            ]),
      ],
    }),
    test_commands: ({ commands }) => ({
      lines: commands.map(({ command, source, runs }) =>
        runs
          ? `tests: ${command} ${quiet(`(${source})`)}`
          : paint("warning", `not run: ${command} (${source}): only you can allow it, with --test`),
      ),
    }),
    step_started: ({ step }) => ({ lines: [], activity: stepActivities[step] }),
    step_finished: ({ step, durationMs, summary }) => ({
      ...verbose(`${step}: ${summary ?? "done"} · ${formatDuration(durationMs)}`),
      activity: null,
    }),
    note: ({ level, message }) => ({
      lines: [level === "warning" ? paint("warning", `! ${message}`) : quiet(message)],
    }),
    process_started: () => silent,
    process_finished: ({ label, durationMs }) =>
      verbose(`  ${label} · ${formatDuration(durationMs)}`),
    baseline: ({ green, commands, withheld }) => ({
      lines: [
        green
          ? good(`baseline: green · ${durationOf(commands)}`)
          : bad(`baseline: red · ${commandsOf(commands)} · ${durationOf(commands)}`),
        ...(green || withheld.length === 0
          ? []
          : [quiet(`  withheld from the tests: ${withheld.join(", ")}`)]),
      ],
    }),
    attempt_started: (event) => {
      candidates.set(attempt(event), event.candidate);
      const { agent, capability, candidate } = event;
      return {
        lines: [
          `${attempt(event)}: ${candidateText(candidate)} ${quiet(`· ${roleText(event.step, agent)}for ${capability}`)}`,
        ],
      };
    },
    call_started: (event) => {
      const candidate = candidates.get(attempt(event));
      return {
        ...verbose(`  call ${event.call}: prompt of about ${counted(event.promptTokens, "token")}`),
        activity: `${event.step}: waiting for ${candidate ? candidateText(candidate) : "the model"}`,
      };
    },
    call_finished: ({ ok, failure, usage, costUsd, durationMs, replayed }) => {
      said = failure?.message ?? "";
      if (replayed) return { lines: ["  from the record"], activity: null };
      const cost = formatCost(costUsd, costUsd === undefined ? 1 : 0);
      const facts = [formatDuration(durationMs), formatUsage(usage), cost];
      const told = facts.filter((fact) => fact !== undefined).join(" · ");
      const how = ok ? "replied" : `${failure?.kind ?? "failed"}: ${failure?.message ?? ""}`;
      return { lines: [`  ${how} · ${told}`], activity: null };
    },
    waiting: ({ reason, ms }) => ({
      lines: [quiet(`  waiting ${formatDuration(ms)}: ${reason}`)],
      activity: `waiting ${formatDuration(ms)}: ${reason}`,
    }),
    pool_left: ({ pool, until }) => ({
      lines: [
        `  the account "${pool}" is left alone${until === undefined ? "" : ` until ${until}`}`,
      ],
    }),
    candidate_skipped: ({ step, candidate, reason, until }) => {
      const because = until === undefined ? reason : `${reason} until ${until}`;
      return { lines: [quiet(`${step}: ${candidateText(candidate)} skipped: ${because}`)] };
    },
    climbed: ({ step, ladder, from, to }) => ({
      lines: [`${step}: nobody is left for ${from}: up the ladder "${ladder}" to ${to}`],
    }),
    pack_ready: ({ files, tokens, report }) => ({
      lines: [
        good(`Context Pack: ${counted(files, "file")}, about ${counted(tokens, "token")}`),
        ...verbose(...report.map((line) => `  ${line}`)).lines,
      ],
    }),
    plan_ready: ({ changes }) => ({ lines: alignColumns(changes.map(changeRow), "  ") }),
    applied: () => silent,
    verdict: ({ accepted, summary, commands }) => {
      said = summary;
      return { lines: [(accepted ? good : bad)(`gate: ${summary} · ${durationOf(commands)}`)] };
    },
    landed: ({ to, branch, commit }) => {
      const short = commit?.slice(0, 12);
      const texts = {
        tree: "landed in your tree",
        branch: `committed as ${short} on the new branch ${branch}`,
        commit: `committed as ${short}`,
      };
      return { lines: [good(texts[to])] };
    },
    rolled_back: ({ restored, kept }) => ({
      lines: [
        quiet(`  undone: ${counted(restored.length, "file")}`),
        ...kept.map((path) => paint("warning", `! ${path} changed meanwhile and was left to you`)),
      ],
    }),
    attempt_finished: (event) => {
      if (event.ok) return { lines: [], activity: null };
      const { failure, move } = event;
      const isSaid = failure?.message === said || failure?.message === failure?.kind;
      const reason = isSaid ? "" : `: ${failure?.message}`;
      const why = failure ? `${failure.kind}${reason}` : "failed";
      const next = move === undefined ? "" : ` ${quiet(`→ ${moveText(move)}`)}`;
      return { lines: [bad(`${attempt(event)}: ${why}${next}`)], activity: null };
    },
    review_finding: ({ severity, file, line, text }) => {
      const place = [file, line].filter((part) => part !== undefined).join(":");
      return { lines: [`  ${severity}${place === "" ? "" : ` ${place}`}: ${text}`] };
    },
    reviewed: ({ asked, answered, passed }) => {
      if (answered.length === 0)
        return { lines: [paint("warning", "! nobody reviewed the change")] };
      const by = answered.map(candidateText).join(", ");
      const text = passed ? "review: no severe fault found" : "review: blocked";
      const few = answered.length < asked && passed ? ` (${answered.length} of ${asked})` : "";
      return { lines: [(passed ? good : bad)(`${text}${few} · ${by}`)] };
    },
    observed: () => silent,
    effect_finished: () => silent,
    run_finished: () => ({ lines: [], activity: null }),
  };
}

const stepActivities: Readonly<Record<EventOf<"step_started">["step"], string>> = {
  survey: "looking through the repository",
  baseline: "running the tests on the untouched tree",
  scout: "scouting",
  coder: "coding",
  gate: "running the tests on the change",
  review: "reviewing",
};

/** What an attempt's end leads to; the same candidate's further turns are over by then. */
const moveTexts: Readonly<Record<Move, string>> = {
  leave_pool: "its account is left alone",
  leave_provider: "its provider is left for this run",
  other_provider: "on to another provider",
  larger_window: "on to a larger window",
  wait_then_same: "on to the next",
  retry_then_next: "on to the next",
  same_once: "on to the next",
  same_once_told: "on to the next",
  same_told_then_whole: "on to the next",
  grow_pack_then_same: "on to the next",
  next: "on to the next",
  next_or_repair: "on to the next",
  rerun: "run again",
  stop: "the run stops",
};

/** A record may come from another version, whose moves have other names. */
export function moveText(move: string): string {
  return Object.hasOwn(moveTexts, move) ? moveTexts[move as Move] : move;
}

type Commands = EventOf<"verdict">["commands"];

function durationOf(commands: Commands): string {
  return formatDuration(commands.reduce((sum, { durationMs }) => sum + durationMs, 0));
}

function commandsOf(commands: Commands): string {
  return commands.map(({ command, ended }) => `${command}: ${ended}`).join(", ");
}

/** The agent where another one than the step's own plays it. */
function roleText(step: string, agent: string): string {
  return agent === step ? "" : `${agent}, `;
}

function firstLine(text: string): string {
  const [first = "", ...rest] = text.trim().split("\n");
  return rest.length === 0 ? first : `${first} …`;
}

/** `strong (acme/large:high)` */
function candidateText({ backend, provider, model, thinking }: CandidateName): string {
  return `${backend} (${provider}/${model}${thinking === undefined ? "" : `:${thinking}`})`;
}
