import type { CandidateName, Event, Failure } from "../../contracts/index.ts";

/** One thing that kit decided, so that two runs can be held against each other. */
export interface Decision {
  /** `scout 1`, `coder 2`; `run` for what is of no attempt. */
  readonly where: string;
  /** `prompt`, `plan`, `verdict`, … */
  readonly what: string;
  /** All that has to be equal. */
  readonly value: unknown;
  /** One line for people. */
  readonly text: string;
}

/** What was decided, in order; what differs by itself (times, durations) and what was only seen is left out. */
export function decisionsOf(events: readonly Event[]): readonly Decision[] {
  return events.flatMap((event) => decisionOf(event) ?? []);
}

function decisionOf(event: Event): Decision | undefined {
  switch (event.type) {
    case "climbed": {
      const { step, ladder, from, to } = event;
      return decision(step, "rung", { ladder, from, to }, `${from} → ${to}`);
    }
    case "candidate_skipped": {
      const { step, candidate, reason } = event;
      const name = nameOf(candidate);
      return decision(step, "skipped", { candidate, reason }, `${name}: ${reason}`);
    }
    case "attempt_started": {
      const { capability, candidate, editFormat } = event;
      const value = { capability, candidate, editFormat };
      return decision(at(event), "asked", value, `${nameOf(candidate)} for ${capability}`);
    }
    case "call_started": {
      const { prompt, promptTokens } = event;
      const text = `${prompt.slice(0, 12)}, about ${promptTokens} tokens`;
      return decision(at(event), "prompt", prompt, text);
    }
    case "waiting":
      return decision("run", "waiting", event.reason, event.reason);
    case "pool_left":
      return decision("run", "pool left", event.pool, event.pool);
    case "pack_ready": {
      const { pack, files, report } = event;
      const text = `${pack.slice(0, 12)}, ${files} files`;
      return decision("scout", "pack", { pack, report }, text);
    }
    case "plan_ready": {
      const { planHash, changes, diff } = event;
      const paths = changes.map(({ kind, path }) => `${kind} ${path}`).join(", ");
      const text = `${planHash.slice(0, 12)}: ${paths}`;
      return decision(ofCoder(event), "plan", { planHash, changes, diff }, text);
    }
    case "applied":
      return decision(ofCoder(event), "applied", true, "applied");
    case "verdict": {
      const { kind, accepted, evidence, basis, summary, output } = event;
      const value = { kind, accepted, evidence, basis, summary, output };
      return decision(ofCoder(event), "verdict", value, `${kind}: ${summary}`);
    }
    case "rolled_back": {
      const { restored, kept } = event;
      const text = [...restored, ...kept.map((path) => `not ${path}`)].join(", ");
      return decision(ofCoder(event), "taken back", { restored, kept }, text);
    }
    case "review_finding": {
      const { severity, file, line, text } = event;
      return decision("review", "finding", { severity, file, line, text }, `${severity}: ${text}`);
    }
    case "reviewed": {
      const { asked, answered, passed } = event;
      const text = `${passed ? "passed" : "not passed"}, ${answered.length} of ${asked}`;
      return decision("review", "review", { asked, answered, passed }, text);
    }
    case "attempt_finished": {
      const { ok, failure, move } = event;
      const end = ok ? "succeeded" : `${failure?.kind ?? "failed"} → ${move ?? "none"}`;
      const value = { ok, move, failure: failure && comparable(failure) };
      return decision(at(event), "move", value, end);
    }
    case "landed":
      return decision("run", "landed", event.to, event.to);
    case "run_finished": {
      const { outcome, exitCode, changedFiles, nextCandidate, error, tree } = event;
      const failure = error && { kind: error.kind, message: error.message };
      const value = { outcome, exitCode, changedFiles, nextCandidate, failure, tree };
      const files = tree === undefined ? "" : `, tree ${tree.slice(0, 12)}`;
      return decision("run", "outcome", value, `${outcome}, exit ${exitCode}${files}`);
    }
    default:
      return undefined;
  }
}

function decision(where: string, what: string, value: unknown, text: string): Decision {
  return { where, what, value, text };
}

function at({ step, attempt }: { readonly step: string; readonly attempt: number }): string {
  return `${step} ${attempt}`;
}

function ofCoder({ attempt }: { readonly attempt: number }): string {
  return `coder ${attempt}`;
}

function nameOf({ backend, provider, model, thinking }: CandidateName): string {
  return `${backend} (${provider}/${model}${thinking === undefined ? "" : `:${thinking}`})`;
}

/** Where both versions of a file lie is no decision. */
function comparable(failure: Failure): unknown {
  return { ...failure, keptIn: undefined };
}

/** What a replay decides otherwise; an absent side decides nothing there. */
export interface Difference {
  readonly where: string;
  readonly what: string;
  readonly recorded?: string;
  readonly now?: string;
}

/** Two runs held against each other, as far as they go together. */
export interface Compared {
  /** Every decision of the record that was reached, and whether it is the same. */
  readonly checks: readonly {
    readonly where: string;
    readonly what: string;
    readonly same: boolean;
  }[];
  readonly differences: readonly Difference[];
}

/** From the first decision of another kind on, nothing more is compared. */
export function compareDecisions(
  recorded: readonly Decision[],
  now: readonly Decision[],
): Compared {
  const checks: { where: string; what: string; same: boolean }[] = [];
  const differences: Difference[] = [];
  for (let index = 0; index < Math.max(recorded.length, now.length); index += 1) {
    const [was, is] = [recorded[index], now[index]];
    const { where, what } = was ?? is ?? { where: "run", what: "nothing" };
    const isOneKind = was?.where === is?.where && was?.what === is?.what;
    const same = isOneKind && JSON.stringify(was?.value) === JSON.stringify(is?.value);
    checks.push({ where, what, same });
    if (same) continue;
    const other = is && (isOneKind ? is.text : `${is.where}, ${is.what}: ${is.text}`);
    differences.push({
      where,
      what,
      ...(was && { recorded: was.text }),
      ...(other !== undefined && { now: other }),
    });
    if (!isOneKind) break;
  }
  return { checks, differences };
}
