import { faultsOf, type ItemKind, type MemoryItem, sharedProject } from "./item.ts";
import { inOrder } from "./order.ts";
import { roleOf } from "./roles.ts";

/** Who asks for what. */
export interface ContextRequest {
  readonly project: string;
  readonly role: string;
  readonly task: string;
  /** Default: the role's. */
  readonly budgetTokens?: number;
  /** In place of the role's kinds and their order. */
  readonly includeKinds?: readonly ItemKind[];
  readonly run?: string;
  readonly stage?: string;
}

export interface ArbiterOptions {
  /** Items that two runs disagree about. */
  readonly contradictionIds?: readonly string[];
  /** Passed through to the packet. */
  readonly workingState?: unknown;
  /** What was left out before the pool was made: a changed skill, an unused fact. */
  readonly leftOut?: readonly LeftOut[];
  readonly maxItems?: number;
}

/** Why an item is not in the packet. */
export interface LeftOut {
  readonly id: string;
  readonly why: string;
}

/** What is handed to the role. Each item stands in one section. */
export interface ContextPacket {
  readonly workingState?: unknown;
  readonly currentState: readonly MemoryItem[];
  readonly knowledge: readonly MemoryItem[];
  readonly evidence: readonly MemoryItem[];
  readonly episodes: readonly MemoryItem[];
  readonly skills: readonly MemoryItem[];
  readonly contradictions: readonly MemoryItem[];
  /** What is missing, one sentence each. */
  readonly gaps: readonly string[];
  /** Selected items by where they come from. */
  readonly provenance: Readonly<Record<string, number>>;
  readonly estimatedTokens: number;
}

/** How the packet came about; holds no summaries. */
export interface ContextAudit {
  readonly request: ContextRequest;
  readonly selected: readonly string[];
  readonly bySource: Readonly<Record<string, number>>;
  readonly tokens: number;
  readonly budget: number;
  /** Items that could have been selected, in order. */
  readonly candidates: readonly string[];
  readonly leftOut: readonly LeftOut[];
  /** Superseded and rejected ones. */
  readonly excludedSuperseded: number;
  /** Passed over because the budget held no more. */
  readonly deferred: number;
}

export type Arbitration =
  | {
      readonly ok: true;
      /** In the order of rule 3. */
      readonly selected: readonly MemoryItem[];
      readonly packet: ContextPacket;
      readonly audit: ContextAudit;
    }
  | { readonly ok: false; readonly refusal: Refusal };

/** The request is not served at all. */
export interface Refusal {
  readonly status: 403 | 422;
  readonly code: "context_isolation_violation" | "context_item_invalid";
  readonly message: string;
}

/** Items of a packet, at most. */
const MAX_ITEMS = 64;

/**
 * Selects what earlier runs contribute to a role's task, and explains the selection. The same
 * input gives the same packet on every machine; no item is changed, and none gains authority.
 */
export function selectContext(
  request: ContextRequest,
  pool: readonly MemoryItem[],
  options: ArbiterOptions = {},
): Arbitration {
  const refusal = refusalOf(request, pool);
  if (refusal !== undefined) return { ok: false, refusal };

  const role = roleOf(request.role);
  const kinds = request.includeKinds ?? role.kinds;
  const budget = request.budgetTokens ?? role.budgetTokens;
  const maxItems = options.maxItems ?? MAX_ITEMS;
  const contradictionIds = new Set(options.contradictionIds ?? []);
  const wanted = (item: MemoryItem): boolean =>
    contradictionIds.has(item.id) || kinds.includes(item.kind);

  const leftOut: LeftOut[] = [...(options.leftOut ?? [])];
  const current = pool.filter((item) => {
    const why = whyOut(item) ?? (wanted(item) ? undefined : `kind ${item.kind} is not wanted`);
    if (why !== undefined) leftOut.push({ id: item.id, why });
    return why === undefined;
  });
  const byId = new Map(pool.map((item) => [item.id, item]));
  const { project, task } = request;
  const candidates = inOrder(current, { project, task, kinds, contradictionIds, byId });

  const selected: MemoryItem[] = [];
  let chars = 0;
  let deferred = 0;
  let overCap = 0;
  for (const item of candidates) {
    if (selected.length >= maxItems) {
      overCap += 1;
      leftOut.push({ id: item.id, why: `the cap of ${maxItems} items was reached` });
    } else if (tokensOf(chars + charsOf(item)) > budget) {
      deferred += 1;
      leftOut.push({ id: item.id, why: `does not fit the budget of ${budget} tokens` });
    } else {
      selected.push(item);
      chars += charsOf(item);
    }
  }

  const bySource = countBySource(selected);
  const tokens = tokensOf(chars);
  const gaps = [
    ...gapsOf({ pool, wanted, candidates, selected, budget, deferred }),
    ...(overCap > 0 ? [`cap of ${maxItems} items reached; ${overCap} candidates left out`] : []),
    ...(options.leftOut ?? []).map(({ id, why }) => `${id} was left out: ${why}`),
  ];
  return {
    ok: true,
    selected,
    packet: {
      ...("workingState" in options && { workingState: options.workingState }),
      ...sectionsOf(selected, contradictionIds),
      gaps,
      provenance: bySource,
      estimatedTokens: tokens,
    },
    audit: {
      request,
      selected: selected.map(({ id }) => id),
      bySource,
      tokens,
      budget,
      candidates: candidates.map(({ id }) => id),
      leftOut,
      excludedSuperseded: pool.filter(({ status }) => isOver(status)).length,
      deferred,
    },
  };
}

/** Isolation first: an item of another project fails the request, whatever its status. */
function refusalOf(request: ContextRequest, pool: readonly MemoryItem[]): Refusal | undefined {
  const ids = new Set<string>();
  for (const { id, project } of pool) {
    if (project === request.project || project === sharedProject) continue;
    return {
      status: 403,
      code: "context_isolation_violation",
      message: `item ${id} is of project ${project}, not of ${request.project}`,
    };
  }
  for (const item of pool) {
    const faults = ids.has(item.id) ? [`duplicate id ${item.id}`] : faultsOf(item);
    ids.add(item.id);
    if (faults.length === 0) continue;
    const message = `item ${item.id}: ${faults.join("; ")}`;
    return { status: 422, code: "context_item_invalid", message };
  }
  return undefined;
}

function isOver(status: MemoryItem["status"]): boolean {
  return status === "superseded" || status === "rejected";
}

/** Rule 2. What is proposed counts only against state and skills: it is not in force yet. */
function whyOut({ kind, status }: MemoryItem): string | undefined {
  if (status === undefined) return undefined;
  const isProposal = status === "proposed" && (kind === "state" || kind === "skill");
  return isOver(status) || isProposal ? `is ${status}` : undefined;
}

/** Rule 6: characters of summary, id, kind and source, summed over the list before the division. */
function charsOf({ summary, id, kind, provenance }: MemoryItem): number {
  return summary.length + id.length + kind.length + (provenance.sourceRef ?? "").length;
}

function tokensOf(chars: number): number {
  return Math.ceil(chars / 4);
}

function countBySource(items: readonly MemoryItem[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { provenance } of items) {
    counts[provenance.sourceType] = (counts[provenance.sourceType] ?? 0) + 1;
  }
  return counts;
}

function sectionsOf(
  selected: readonly MemoryItem[],
  contradictionIds: ReadonlySet<string>,
): Pick<
  ContextPacket,
  "currentState" | "knowledge" | "evidence" | "episodes" | "skills" | "contradictions"
> {
  const of = (kind: ItemKind): MemoryItem[] =>
    selected.filter((item) => item.kind === kind && !contradictionIds.has(item.id));
  return {
    currentState: of("state"),
    knowledge: of("knowledge"),
    evidence: of("evidence"),
    episodes: of("episode"),
    skills: of("skill"),
    contradictions: selected.filter(({ id }) => contradictionIds.has(id)),
  };
}

/** Rule 5. */
function gapsOf(facts: {
  readonly pool: readonly MemoryItem[];
  readonly wanted: (item: MemoryItem) => boolean;
  readonly candidates: readonly MemoryItem[];
  readonly selected: readonly MemoryItem[];
  readonly budget: number;
  readonly deferred: number;
}): string[] {
  const { pool, candidates, selected, budget, deferred } = facts;
  if (pool.length === 0) return ["no context records exist for this project yet"];
  if (candidates.length === 0) {
    return pool.some(facts.wanted)
      ? ["every record of a kind this role receives is superseded, rejected or proposed"]
      : ["no record of a kind this role receives"];
  }
  if (deferred === 0) return [];
  return selected.length === 0
    ? [`budget of ${budget} tokens cannot fit any selected context`]
    : [`budget of ${budget} tokens reached; ${deferred} candidates deferred`];
}
