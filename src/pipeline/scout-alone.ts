import type { Adapter, ContextPack, Emit, Ledger, SurveyResult } from "../contracts/index.ts";
import { sha256 } from "../lib/text.ts";
import { createCaller } from "./calls.ts";
import type { ClimbResult } from "./climb.ts";
import { createLearned } from "./learned.ts";
import type { Clock, RunRecord, ScoutRequest } from "./ports.ts";
import { climbScout, createScoutStep } from "./scout.ts";
import { inStep } from "./steps.ts";

/** Everything the scout's step needs on its own. */
export interface ScoutAloneRequest extends ScoutRequest {
  readonly survey: () => Promise<SurveyResult>;
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Sees every event; nothing is written down. */
  readonly emit: Emit;
}

/** Survey and scout alone: no test runs, nothing is written, the calls are paid all the same. */
export async function scoutAlone(request: ScoutAloneRequest): Promise<ClimbResult<ContextPack>> {
  const { limits, clock, signal, adapters, ledger } = request;
  const record = unwritten(request.emit);
  const learned = createLearned(ledger, () => clock.now());
  const caller = createCaller({ adapters, ledger, limits, clock, signal, record });
  const tools = { caller, learned, ledger, record, clock, signal };
  const survey = await inStep(
    tools,
    "survey",
    request.survey,
    (found) => `${found.files.length} files`,
  );
  const step = createScoutStep({ request, tools, survey, baseline: undefined });
  return inStep(tools, "scout", () => climbScout(step, request, tools));
}

/** A record of a run that has none. */
function unwritten(emit: Emit): RunRecord {
  return {
    id: "",
    folder: "",
    emit,
    object: sha256,
    observe: (_key, look) => look(),
    step: (_key, _inputHash, effect) => effect(),
    recall: () => Promise.resolve(undefined),
    before: [],
  };
}
