import {
  context,
  type Context,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { RunSpan } from "./spans.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Sends the trace of a run to the collector, by OTLP over HTTP with protobuf. Where and with what
 * headers the exporter reads from this process's environment; the run is a child of `TRACEPARENT`
 * where that is set.
 * @throws what the exporter throws: the collector is out of reach, or refuses
 */
export async function sendSpans(run: RunSpan, env: Environment, kitVersion: string): Promise<void> {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": env["OTEL_SERVICE_NAME"] ?? "kit",
      "service.version": kitVersion,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const tracer = provider.getTracer("kit", kitVersion);
  const send = (span: RunSpan, parent: Context): void => {
    const { name, kind, startMs, endMs, attributes, error, children } = span;
    const started = tracer.startSpan(
      name,
      {
        kind: kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL,
        startTime: startMs,
        attributes,
      },
      parent,
    );
    if (error !== undefined) started.setStatus({ code: SpanStatusCode.ERROR, message: error });
    for (const child of children) send(child, trace.setSpan(parent, started));
    started.end(endMs);
  };
  send(run, parentContext(env["TRACEPARENT"]));
  try {
    await provider.forceFlush();
  } finally {
    await provider.shutdown();
  }
}

/** https://www.w3.org/TR/trace-context/: `00-<trace>-<span>-<flags>`; anything else is no parent. */
function parentContext(traceparent: string | undefined): Context {
  const pattern = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
  const [, traceId = "", spanId = "", flags = "00"] = pattern.exec(traceparent?.trim() ?? "") ?? [];
  const root = context.active();
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return root;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(root, { traceId, spanId, traceFlags, isRemote: true });
}
