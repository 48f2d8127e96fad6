/**
 * Who else watches a run? Readers of its events for other programs: JSON Lines, log lines and
 * OpenTelemetry traces. It leaves to others: what happens in a run (`pipeline`), how it is kept
 * (`runs`) and what people see (`cli`).
 */
export { openEventStream, type EventStream } from "./event-stream.ts";
export { openLog, logLevels, type LogLevel } from "./log.ts";
export { exportTrace, wantsTrace } from "./trace.ts";
