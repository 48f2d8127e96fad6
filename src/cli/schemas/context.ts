import * as z from "zod/mini";
import { problem, schemaVersion } from "./parts.ts";

const text = z.string();
const texts = z.array(text);
const optionalText = z.exactOptional(text);
const counts = z.record(text, z.number());

const item = z.strictObject({
  id: text,
  kind: z.enum(["evidence", "state", "episode", "knowledge", "skill"]),
  project: text,
  summary: text,
  provenance: z.strictObject({
    sourceType: text,
    sourceRef: optionalText,
    derivedFrom: z.exactOptional(texts),
  }),
  authority: z.enum(["policy", "instruction", "evidence", "hypothesis"]),
  confidence: z.enum(["verified", "probable", "uncertain"]),
  status: z.exactOptional(z.enum(["current", "superseded", "proposed", "rejected"])),
  observedAt: optionalText,
  evidenceRefs: z.exactOptional(texts),
  scope: optionalText,
});
const items = z.array(item);

export const contextGet = z.strictObject({
  schemaVersion,
  packet: z.strictObject({
    workingState: z.exactOptional(z.unknown()),
    currentState: items,
    knowledge: items,
    evidence: items,
    episodes: items,
    skills: items,
    contradictions: items,
    gaps: texts,
    provenance: counts,
    estimatedTokens: z.number(),
  }),
  audit: z.strictObject({
    request: z.strictObject({
      project: text,
      role: text,
      task: text,
      budgetTokens: z.exactOptional(z.number()),
      includeKinds: z.exactOptional(texts),
      run: optionalText,
      stage: optionalText,
    }),
    selected: texts,
    bySource: counts,
    tokens: z.number(),
    budget: z.number(),
    candidates: texts,
    leftOut: z.array(z.strictObject({ id: text, why: text })),
    excludedSuperseded: z.number(),
    deferred: z.number(),
  }),
  /** Of `.kit/memory`; none takes part without trust. */
  facts: z.array(z.strictObject({ file: text, id: text, used: z.boolean(), because: text })),
  problems: z.array(problem),
  /** Lines of the journal that could not be read. */
  unreadable: z.number(),
});

export const contextExplain = z.strictObject({
  schemaVersion,
  item,
  lineage: texts,
  evidenceRefs: texts,
  sources: z.array(z.strictObject({ id: text, sourceType: text, sourceRef: optionalText })),
});

export const contextRecall = z.strictObject({ schemaVersion, items });
