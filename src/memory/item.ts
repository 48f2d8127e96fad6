/** Where an item comes from; it bounds what authority the item may have. */
export const sourceTypes = [
  "human",
  "git",
  "workflow",
  "tool",
  "peer",
  "external",
  "derived",
] as const;
export type SourceType = (typeof sourceTypes)[number];

export const itemKinds = ["evidence", "state", "episode", "knowledge", "skill"] as const;
export type ItemKind = (typeof itemKinds)[number];

/** Authorities and confidences by rank. */
export const authorityRanks = { policy: 3, instruction: 2, evidence: 1, hypothesis: 0 } as const;
export type Authority = keyof typeof authorityRanks;

export const confidenceRanks = { verified: 3, probable: 2, uncertain: 1 } as const;
export type Confidence = keyof typeof confidenceRanks;

const itemStatuses = ["current", "superseded", "proposed", "rejected"] as const;
export type ItemStatus = (typeof itemStatuses)[number];

/** One thing that earlier runs, or people, left behind. Nothing in it is ever rewritten. */
export interface MemoryItem {
  /** At most 128 characters, unique in its pool. */
  readonly id: string;
  readonly kind: ItemKind;
  /** `_shared`: holds for every project. */
  readonly project: string;
  /** At most 4,000 characters, redacted. */
  readonly summary: string;
  readonly provenance: {
    readonly sourceType: SourceType;
    readonly sourceRef?: string;
    readonly derivedFrom?: readonly string[];
  };
  readonly authority: Authority;
  readonly confidence: Confidence;
  /** Required for state. */
  readonly status?: ItemStatus;
  /** ISO time. */
  readonly observedAt?: string;
  /** At most 16, distinct. */
  readonly evidenceRefs?: readonly string[];
  readonly scope?: string;
}

export const sharedProject = "_shared";
export const maxSummaryChars = 4_000;
export const maxEvidenceRefs = 16;
const maxIdChars = 128;

/** Keys by which an item would bring power instead of knowledge. */
const powers = ["permissions", "tools", "credentials"];

/** What speaks against an item, one sentence each; empty where it is sound. */
export function faultsOf(item: MemoryItem): readonly string[] {
  const refs = item.evidenceRefs ?? [];
  const rules: readonly (readonly [isBroken: boolean, fault: string])[] = [
    [
      item.id === "" || item.id.length > maxIdChars,
      `its id must have 1 to ${maxIdChars} characters`,
    ],
    [!itemKinds.includes(item.kind), `its kind must be one of ${itemKinds.join(", ")}`],
    [item.project === "", "it names no project"],
    [
      item.summary === "" || item.summary.length > maxSummaryChars,
      `its summary must have 1 to ${maxSummaryChars} characters`,
    ],
    [
      !sourceTypes.includes(item.provenance.sourceType),
      `its source type must be one of ${sourceTypes.join(", ")}`,
    ],
    [!(item.authority in authorityRanks), "its authority is unknown"],
    [!(item.confidence in confidenceRanks), "its confidence is unknown"],
    [item.kind === "state" && item.status === undefined, "a state needs a status"],
    [item.status !== undefined && !itemStatuses.includes(item.status), "its status is unknown"],
    [
      refs.length > maxEvidenceRefs || new Set(refs).size < refs.length,
      `it may name at most ${maxEvidenceRefs} evidence refs, each once`,
    ],
    ...powers.map((power) => [Object.hasOwn(item, power), `it may not carry ${power}`] as const),
  ];
  return rules.flatMap(([isBroken, fault]) => (isBroken ? [fault] : []));
}

/** The most an origin may say. Source: ARBITER, "Ceiling by origin". */
const ceilings: Readonly<Record<SourceType, Authority>> = {
  human: "policy",
  workflow: "policy",
  git: "instruction",
  tool: "evidence",
  peer: "evidence",
  external: "evidence",
  derived: "evidence",
};

/**
 * The authority an item has: what it says, bounded by its origin and, where it is derived, by
 * its strongest known parent. A derived item without a known parent is a hypothesis.
 */
export function authorityOf(
  item: MemoryItem,
  byId: ReadonlyMap<string, MemoryItem>,
  above: ReadonlySet<string> = new Set(),
): Authority {
  const { sourceType, derivedFrom = [] } = item.provenance;
  const bounded = weaker(item.authority, ceilings[sourceType]);
  if (sourceType !== "derived") return bounded;
  const seen = new Set([...above, item.id]);
  const parents = derivedFrom.flatMap((id) => {
    const parent = seen.has(id) ? undefined : byId.get(id);
    return parent === undefined ? [] : [authorityOf(parent, byId, seen)];
  });
  const strongest = parents.reduce<Authority>(
    (best, each) => (authorityRanks[each] > authorityRanks[best] ? each : best),
    "hypothesis",
  );
  return weaker(bounded, strongest);
}

function weaker(one: Authority, other: Authority): Authority {
  return authorityRanks[one] <= authorityRanks[other] ? one : other;
}
