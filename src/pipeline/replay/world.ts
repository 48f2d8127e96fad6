import {
  type Adapter,
  type CallResult,
  type Candidate,
  type CandidateName,
  type Event,
  type Failure,
  type Ledger,
} from "../../contracts/index.ts";
import { redact } from "../../lib/redaction.ts";
import { sha256 } from "../../lib/text.ts";
import { redactDeep } from "../../runs/index.ts";
import { nameOf } from "../calls.ts";
import type { Clock, RunRecord, RunRequest } from "../ports.ts";
import { filesKey, type SeenFile } from "../seen-files.ts";
import { countAnswers, type LedgerAnswer, ledgerKey } from "../watched-ledger.ts";
import { lostBecause, notReplayable, type Recorded, type RecordedCall } from "./recorded.ts";
import { placeFile, type Places, RecordEnds, scratchWorkspace } from "./scratch-tree.ts";

/** Everything around a run, answered from its record. */
export interface World {
  readonly request: RunRequest;
  /** What the replay has told so far, in the paths of the record. */
  readonly events: readonly Event[];
}

/** Answers to what the world says where the record ends and the answer is harmless. */
const usualAnswers: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["baseline in time", true],
  ["known baseline", null],
  ["moved since the baseline", []],
  ["narrowed command", null],
]);

/** Puts a run into a scratch tree where models, tests, limits and clock speak from the record. */
export function createWorld(recorded: Recorded, { root, stateDir }: Places): World {
  const { run, facts, calls } = recorded;
  const events: Event[] = [];
  const controller = new AbortController();
  let now = Date.parse(recorded.events[0]?.at ?? run.receipt.startedAt ?? "");
  const clock: Clock = {
    now: () => now,
    sleep(ms) {
      now += ms;
      return Promise.resolve();
    },
  };
  const reach = (at: string): void => {
    now = Math.max(now, Date.parse(at));
  };
  const asRecorded = (text: string): string => text.replaceAll(root, facts.root);

  const used = new Set<RecordedCall>();
  const places = new Map<string, number>();
  /** The next answer under a key. */
  function next(key: string): unknown {
    const place = places.get(key) ?? 0;
    places.set(key, place + 1);
    const answer = recorded.observed.get(key)?.[place];
    if (answer === undefined) {
      if (usualAnswers.has(key)) return usualAnswers.get(key);
      throw new RecordEnds(`the record does not hold ${key}`);
    }
    if (answer.lost !== undefined) throw notReplayable(run.id, lostBecause(key, answer.lost));
    reach(answer.at);
    return answer.value;
  }

  async function placeFiles(): Promise<void> {
    const list = recorded.observed.get(filesKey) ?? [];
    const place = places.get(filesKey) ?? 0;
    if (place >= list.length) return;
    for (const file of next(filesKey) as readonly SeenFile[]) {
      if (file.kind === "secret") {
        throw notReplayable(
          run.id,
          `${file.path} was not kept, as it holds what looks like a secret`,
        );
      }
      await placeFile(root, file);
    }
  }

  /** Whether the change that was announced last is the one that the record tells of. */
  function isKnownChange(): boolean {
    const planned = events.findLast((event) => event.type === "plan_ready");
    if (planned?.type !== "plan_ready") return false;
    return recorded.events.some(
      (event) =>
        event.type === "plan_ready" &&
        event.attempt === planned.attempt &&
        event.planHash === planned.planHash,
    );
  }

  /** What the recorded run, a resumed one, took from its own record in place of the next call. */
  function recalled(key: string): { result: CallResult; durationMs: number } | undefined {
    const next = calls.find((call) => !used.has(call));
    if (next?.finished === undefined || next.started.replayed !== true) return undefined;
    const asked = askedOf(next, recorded);
    if (asked === undefined || !key.startsWith(`call ${next.started.step} ${asked.backend} `)) {
      return undefined;
    }
    used.add(next);
    return { result: resultOf(next), durationMs: next.finished.durationMs };
  }

  const record: RunRecord = {
    id: run.id,
    folder: stateDir,
    emit(event) {
      events.push(redactDeep(JSON.parse(asRecorded(JSON.stringify(event))) as Event));
      return Promise.resolve();
    },
    object: (content) => sha256(redact(asRecorded(content))),
    step: (_key, _inputHash, effect) => effect(),
    recall: <T>(key: string) => Promise.resolve(recalled(key) as T | undefined),
    before: run.events.filter(({ seq }) => seq < (recorded.events[0]?.seq ?? 0)),
    async observe<T>(key: string, look: () => Promise<T>): Promise<T> {
      if (key === "request" || key === ledgerKey) return look();
      if (key === filesKey) {
        await placeFiles();
        return look();
      }
      if (key.startsWith("tests of a change") && !isKnownChange()) {
        throw new RecordEnds("no test has seen this change");
      }
      return next(key) as T;
    },
  };

  /** The recorded call that this one is, or the next one to the same model in the same step. */
  function callFor(candidate: Candidate): RecordedCall | undefined {
    const asked = events.findLast((event) => event.type === "call_started");
    if (asked?.type !== "call_started") return undefined;
    const name = JSON.stringify(nameOf(candidate));
    const likely = calls.filter(
      (call) =>
        !used.has(call) &&
        call.started.step === asked.step &&
        JSON.stringify(askedOf(call, recorded)) === name,
    );
    return likely.find(({ started }) => started.attempt === asked.attempt) ?? likely[0];
  }

  const adapter: Adapter = {
    name: "replay",
    check: () => Promise.resolve({ program: "replay", version: "1" }),
    models: () => Promise.resolve([]),
    call({ candidate }) {
      const call = callFor(candidate);
      if (call?.finished === undefined) {
        return Promise.reject(
          new RecordEnds(`the record holds no reply of ${candidate.backend} here`),
        );
      }
      used.add(call);
      const { finished } = call;
      if (finished.isMasked) {
        const why = `the reply of ${candidate.backend} was not kept, as it held what looks like a secret`;
        return Promise.reject(notReplayable(run.id, why));
      }
      reach(finished.at);
      const end = endedBy(call, recorded);
      if (!finished.ok && end !== undefined) controller.abort(end);
      return Promise.resolve(resultOf(call));
    },
  };

  const request: RunRequest = {
    ...facts,
    workspace: scratchWorkspace(recorded, { root, stateDir }, events),
    survey: () => Promise.reject(new RecordEnds("the record does not hold this survey")),
    setUp: () => Promise.resolve(setUpFailure(recorded)),
    ...(facts.lands && { land: () => Promise.resolve(landing(recorded)) }),
    adapters: new Map(adapterNames(facts).map((name) => [name, adapter])),
    ledger: ledgerOf(recorded),
    environment: {},
    clock,
    signal: controller.signal,
    record,
  };
  return { request, events };
}

function askedOf({ started }: RecordedCall, { events }: Recorded): CandidateName | undefined {
  const attempt = events.find(
    (event) =>
      event.type === "attempt_started" &&
      event.step === started.step &&
      event.attempt === started.attempt,
  );
  return attempt?.type === "attempt_started" ? attempt.candidate : undefined;
}

/** What ended the run while this call was under way, as the reason of an abort. */
function endedBy({ started }: RecordedCall, { events, calls }: Recorded): unknown {
  const isLast = calls.at(-1)?.started.call === started.call;
  const end = events.find(
    (event) =>
      event.type === "attempt_finished" &&
      event.step === started.step &&
      event.attempt === started.attempt,
  );
  if (!isLast || end?.type !== "attempt_finished") return undefined;
  if (end.failure?.kind === "deadline") return new DOMException("over", "TimeoutError");
  return end.failure?.kind === "interrupted" ? new Error("interrupted") : undefined;
}

function resultOf({ finished, text }: RecordedCall): CallResult {
  const usage = finished?.usage;
  const costUsd = finished?.costUsd;
  const paid = { ...(usage && { usage }), ...(costUsd !== undefined && { costUsd }) };
  if (finished?.ok === true) return { ok: true, text: text ?? "", servedBy: "the record", ...paid };
  const failure = finished?.failure ?? { kind: "provider_unknown", message: "" };
  const resetAt = failure.kind === "usage_limit" ? failure.resetAt : undefined;
  return {
    ok: false,
    failure,
    ...paid,
    ...(resetAt !== undefined && { resetAt }),
    ...(text !== undefined && { partialText: text }),
  };
}

function finishOf({ events }: Recorded) {
  return events.findLast((event) => event.type === "run_finished");
}

/** A tree that was never ready: nothing but the end is in the record. */
function setUpFailure(recorded: Recorded): Failure | undefined {
  const error = finishOf(recorded)?.error;
  const hasBegun = recorded.events.some(({ type }) => type === "step_started");
  if (hasBegun || error === undefined) return undefined;
  return { kind: "environment", message: error.message, ...(error.next && { mend: error.next }) };
}

function landing(recorded: Recorded): Awaited<ReturnType<NonNullable<RunRequest["land"]>>> {
  const landed = recorded.events.findLast((event) => event.type === "landed");
  if (landed !== undefined) {
    const { to, transaction, branch, commit } = landed;
    return {
      ok: true,
      landed: {
        to,
        ...(transaction !== undefined && { transaction }),
        ...(branch !== undefined && { branch }),
        ...(commit !== undefined && { commit }),
      },
    };
  }
  const error = finishOf(recorded)?.error;
  if (error === undefined) throw new RecordEnds("the record does not say how it landed");
  const { message } = error;
  return error.kind === "environment"
    ? { ok: false, failure: { kind: "environment", message } }
    : { ok: false, failure: { kind: "conflict", message, paths: [] } };
}

function adapterNames({ routes, ladders, review }: Recorded["facts"]): readonly string[] {
  const all = [
    routes.scout,
    routes.coder,
    ...(ladders?.scout?.routes ?? []),
    ...(ladders?.coder?.routes ?? []),
    ...(review === undefined ? [] : [review.route]),
  ];
  return all.flatMap(({ candidates }) => candidates.map(({ binding }) => binding.adapter));
}

function ledgerOf({ observed }: Recorded): Ledger {
  const answers = (observed.get(ledgerKey) ?? []).flatMap(({ value }) =>
    value === undefined ? [] : [value as LedgerAnswer],
  );
  const counts = countAnswers();
  const ask = (question: LedgerAnswer["question"], candidate: Candidate) => {
    const nth = counts.next(question, candidate);
    const { identity } = candidate;
    return answers.find(
      (answer) =>
        answer.question === question && answer.identity === identity && answer.nth === nth,
    )?.cooling;
  };
  return {
    cooling: (candidate) => ask("cooling", candidate),
    askedLast: (candidate) => ask("asked last", candidate),
    reserve(candidate) {
      const cooling = ask("reserve", candidate);
      return cooling === undefined
        ? { kind: "go", flight: { accepted: () => undefined, finish: () => undefined } }
        : { kind: "cooling", cooling };
    },
    note: (candidate) => ask("note", candidate),
  };
}
