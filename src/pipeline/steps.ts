import type { StepName } from "../contracts/index.ts";
import type { Clock, RunRecord } from "./ports.ts";

/** Runs one step of the run between its two events; `summary` is said with the second. */
export async function inStep<T>(
  tools: { readonly record: RunRecord; readonly clock: Clock },
  step: StepName,
  work: () => Promise<T>,
  summary?: (result: T) => string | undefined,
): Promise<T> {
  const { record, clock } = tools;
  await record.emit({ type: "step_started", step });
  const began = clock.now();
  const result = await work();
  const said = summary?.(result);
  const durationMs = clock.now() - began;
  await record.emit({
    type: "step_finished",
    step,
    durationMs,
    ...(said !== undefined && { summary: said }),
  });
  return result;
}
