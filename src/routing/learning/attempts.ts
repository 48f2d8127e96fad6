import type {
  CandidateName,
  EditFormat,
  Failure,
  FailureKind,
  Usage,
} from "../../contracts/index.ts";

/** One candidate's turn as a receipt holds it, with the run it belongs to. */
export interface RecordedAttempt {
  readonly runId: string;
  readonly step: "scout" | "coder" | "review";
  readonly capability: string;
  readonly candidate: CandidateName;
  /** Absent: not recorded, or no coder. */
  readonly editFormat?: EditFormat;
  readonly ok: boolean;
  readonly failure?: Failure;
  readonly usage?: Usage;
  readonly costUsd?: number;
  /** Calls of unknown cost; above zero, `costUsd` is a lower bound. */
  readonly costUnknown: number;
  readonly durationMs: number;
}

/** Whose doing a failure is. Only the model's own says anything of what it can do. */
const blame: Readonly<Record<FailureKind, "model" | "provider" | "nobody">> = {
  usage_limit: "provider",
  rate_limit: "provider",
  overloaded: "provider",
  network: "provider",
  timeout: "provider",
  auth: "provider",
  model_not_found: "provider",
  wrong_model: "provider",
  context_overflow: "provider",
  refused: "provider",
  provider_unknown: "provider",
  empty_reply: "model",
  truncated_reply: "model",
  reply_too_large: "model",
  pack_invalid: "model",
  no_changes: "model",
  repeat: "model",
  format: "model",
  apply: "model",
  needs_file: "model",
  out_of_scope: "model",
  tests_failed: "model",
  tests_weakened: "model",
  review_blocked: "model",
  vacuous: "model",
  flaky: "nobody",
  conflict: "nobody",
  environment: "nobody",
  budget: "nobody",
  deadline: "nobody",
  interrupted: "nobody",
};

/** Green, or failed by the model's own work: what may be counted for or against it. */
export function isJudged({ ok, failure }: Pick<RecordedAttempt, "ok" | "failure">): boolean {
  return ok || (failure !== undefined && blame[failure.kind] === "model");
}

/** One model under all its backend names: adapter, provider, model and thinking, case ignored. */
export function modelKey(name: Omit<CandidateName, "backend">): string {
  const { adapter, provider, model, thinking } = name;
  return `${adapter}:${provider}/${model}@${thinking ?? "default"}`.toLowerCase();
}

/** The attempt's whole cost in USD; `undefined` where any call's is unknown. */
export function wholeCost(attempt: RecordedAttempt): number | undefined {
  return attempt.costUnknown > 0 ? undefined : attempt.costUsd;
}

/** The step in which a capability was asked most; the coder's where it never was. */
export function usualStep(
  attempts: readonly RecordedAttempt[],
  capability: string,
): RecordedAttempt["step"] {
  const own = attempts.filter((attempt) => attempt.capability === capability);
  const steps = [...groupBy(own, ({ step }) => step).values()];
  return steps.toSorted((one, other) => other.length - one.length)[0]?.[0]?.step ?? "coder";
}

/** Groups in the order in which their keys first appear. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The mean of what is known; `undefined` where nothing is. */
export function meanOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0
    ? undefined
    : known.reduce((sum, value) => sum + value, 0) / known.length;
}
