import type { RecordedEvent } from "../contracts/index.ts";
import { spansOf } from "./spans.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** True where the environment names a collector, by OpenTelemetry's own variables. */
export function wantsTrace(env: Environment): boolean {
  const named = env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] ?? env["OTEL_EXPORTER_OTLP_ENDPOINT"];
  return Boolean(named) && env["OTEL_SDK_DISABLED"]?.toLowerCase() !== "true";
}

/**
 * Sends the trace of a run to the collector. OpenTelemetry's SDK is loaded by this alone.
 * @throws what the exporter throws: the collector is out of reach, or refuses
 */
export async function exportTrace(
  events: readonly RecordedEvent[],
  env: Environment,
  kitVersion: string,
): Promise<void> {
  const run = spansOf(events);
  if (run === undefined) return;
  const { sendSpans } = await import("./otlp.ts");
  await sendSpans(run, env, kitVersion);
}
