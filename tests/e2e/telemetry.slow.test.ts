import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import protobuf from "protobufjs";
import { describe, expect, onTestFinished, test } from "vitest";
import { coderRule, machine, scenario, task } from "./support.ts";

/** The part of OTLP that is looked at (opentelemetry-proto 1.7, trace/v1). */
const traceProto = `
syntax = "proto3";
message Request { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { repeated Span spans = 2; }
message Span {
  bytes trace_id = 1;
  bytes span_id = 2;
  bytes parent_span_id = 4;
  string name = 5;
  int32 kind = 6;
  fixed64 start_time_unix_nano = 7;
  fixed64 end_time_unix_nano = 8;
  repeated KeyValue attributes = 9;
}
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
`;

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
}

interface Decoded {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

/** A collector's endpoint: decodes what is posted to it, by the wire format. */
async function collector(): Promise<{ readonly url: string; readonly spans: Span[] }> {
  const request = protobuf.parse(traceProto).root.lookupType("Request");
  const spans: Span[] = [];
  const server = createServer((incoming, answer) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const message = request.toObject(request.decode(Buffer.concat(chunks)), { bytes: String });
      for (const { scopeSpans } of (message as Decoded).resourceSpans) {
        spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      }
      answer.writeHead(200, { "content-type": "application/x-protobuf" }).end();
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans };
}

const hex = (base64: string): string => Buffer.from(base64, "base64").toString("hex");

const right = scenario([coderRule("p1/first", "a * b"), coderRule("p2/second", "a + b")]);

describe("a run that others watch", () => {
  test("arrives at a collector as one trace, below the caller's span", async () => {
    const { url, spans } = await collector();
    const { run, quick } = await machine({ scenario: right });
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const caller = "b7ad6b7169203331";
    const { code } = await run(quick, {
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, TRACEPARENT: `00-${traceId}-${caller}-01` },
    });
    expect(code).toBe(0);
    const nameOf = new Map(spans.map(({ spanId, name }) => [hex(spanId), name]));
    const tree = spans.map(({ name, parentSpanId }) => {
      const parent = hex(parentSpanId);
      return `${parent === caller ? "caller" : nameOf.get(parent)} > ${name}`;
    });
    expect(new Set(spans.map((span) => hex(span.traceId)))).toEqual(new Set([traceId]));
    expect(tree.toSorted()).toEqual(
      [
        "caller > kit run",
        "kit run > baseline",
        "kit run > survey",
        "kit run > invoke_agent coder",
        "invoke_agent coder > chat first",
        "invoke_agent coder > gate",
        "invoke_agent coder > chat second",
        "invoke_agent coder > gate",
      ].toSorted(),
    );
  });

  test("ends as it does when the collector is out of reach, and says so", async () => {
    const { run, quick } = await machine({ scenario: right });
    const { code, stderr } = await run(quick, {
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" },
    });
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("The trace could not be sent"),
    });
  });

  test("streams its events as they are recorded, to stdout or a descriptor", async () => {
    const { root, kit, quick } = await machine({ scenario: right });
    const { code, stdout, stderr } = await kit(["run", task, ...quick, "--events"]);
    expect(code).toBe(0);
    const [id = ""] = readdirSync(join(root, ".kit/runs")).filter((name) => /^\d/.test(name));
    expect(stdout).toBe(readFileSync(join(root, ".kit/runs", id, "events.jsonl"), "utf8"));
    expect(stderr).toContain("coder 2");
    const refused = await kit(["run", task, ...quick, "--events=99"]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("not open") });
  });

  test("logs JSON lines in place of the display", async () => {
    const { kit, quick } = await machine({ scenario: right });
    const { stderr } = await kit(["run", task, ...quick, "--log-level", "warn"]);
    const lines = stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { msg: string });
    expect(lines.map(({ msg }) => msg)).toContain("attempt_finished");
  });
});
