import * as z from "zod/mini";

// The parts that several documents share. Documents are closed: what is not in the schema is not
// printed, and a test holds real output against it.

const text = z.string();
const optionalText = z.exactOptional(text);

export const schemaVersion = z.literal(1);

const layer = z.enum(["shipped", "user", "project", "flags"]);

/** Where a value came from. */
export const origin = z.strictObject({
  layer,
  file: optionalText,
  line: z.exactOptional(z.number()),
});

export const problem = z.strictObject({
  severity: z.enum(["error", "warning"]),
  place: z.strictObject({
    file: text,
    line: z.exactOptional(z.number()),
    column: z.exactOptional(z.number()),
  }),
  key: optionalText,
  value: optionalText,
  message: text,
});

export const configSource = z.strictObject({
  kind: z.enum(["registry", "bindings", "agent", "settings", "classify"]),
  layer,
  file: text,
  used: z.boolean(),
});

export const price = z.strictObject({
  input: z.number(),
  output: z.number(),
  cacheRead: z.exactOptional(z.number()),
  cacheWrite: z.exactOptional(z.number()),
});

/** A candidate of a route, in the order it is asked. */
const routeCandidate = z.strictObject({
  backend: text,
  adapter: text,
  provider: text,
  model: text,
  thinking: optionalText,
  contextWindow: z.exactOptional(z.number()),
  price: z.exactOptional(price),
  /** Required properties it lacks: it is asked last. */
  degraded: z.array(text),
  /** Its account is spent: a run that starts now leaves it until then. */
  cooling: z.exactOptional(
    z.strictObject({ pool: text, failure: text, until: text, told: z.boolean() }),
  ),
  source: z.exactOptional(origin),
});

/** The rule that chose a capability, and which of its conditions held. */
export const classified = z.strictObject({
  capability: text,
  rule: text,
  because: z.array(text),
  source: origin,
});

const skippedBackend = z.strictObject({ backend: text, reason: text });

export const route = z.strictObject({
  capability: text,
  candidates: z.array(routeCandidate),
  skipped: z.array(skippedBackend),
});
