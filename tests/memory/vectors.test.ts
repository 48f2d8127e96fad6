import { describe, expect, test } from "vitest";
import {
  type Arbitration,
  type ContextRequest,
  type Explanation,
  explainItem,
  type JournalEntry,
  journalItem,
  type MemoryItem,
  memoryItem,
  type MemoryRecord,
  type PromotedSkill,
  selectContext,
  skillItems,
} from "../../src/memory/index.ts";
import { vectorsOf, type Views, viewedAs } from "../support/vectors.ts";

type Json = Readonly<Record<string, unknown>>;

interface Arbitrated {
  readonly result: Arbitration;
  readonly pool: readonly MemoryItem[];
}

function arbitrate(input: Json): Arbitrated {
  const request = input["request"] as ContextRequest;
  const skills = skillItems(request.project, (input["skills"] ?? []) as PromotedSkill[]);
  const pool = [...(input["pool"] as MemoryItem[]), ...skills.items];
  const options = { ...(input["options"] as object | undefined), leftOut: skills.leftOut };
  return { result: selectContext(request, pool, options), pool };
}

function served({ result }: Arbitrated): Extract<Arbitration, { ok: true }> {
  if (!result.ok) throw new Error(result.refusal.message);
  return result;
}

const ids = (items: readonly MemoryItem[]): string[] => items.map(({ id }) => id);

/** The sections of a packet by the names that vectors may use. */
const section = (scene: Arbitrated, name: string): string[] => {
  const { packet } = served(scene);
  return ids((packet as unknown as Readonly<Record<string, MemoryItem[]>>)[name] ?? []);
};
const sections = [
  "contradictions",
  "episodes",
  "evidence",
  "knowledge",
  "skills",
  "currentState",
] as const;

const arbiterViews: Views<Arbitrated> = {
  selected: (scene) => ids(served(scene).selected),
  budget: (scene) => served(scene).audit.budget,
  tokens: (scene) => served(scene).audit.tokens,
  estimatedTokens: (scene) => served(scene).packet.estimatedTokens,
  excludedSuperseded: (scene) => served(scene).audit.excludedSuperseded,
  deferred: (scene) => served(scene).audit.deferred,
  gaps: (scene) => served(scene).packet.gaps,
  gapsAbout: (scene, wanted: readonly string[]) =>
    wanted.filter((text) => served(scene).packet.gaps.some((gap) => gap.includes(text))),
  workingState: (scene) => served(scene).packet.workingState,
  provenance: (scene) => served(scene).packet.provenance,
  bySource: (scene) => served(scene).audit.bySource,
  item: ({ pool }, { id }: MemoryItem) => pool.find((item) => item.id === id),
  sections: (scene, wanted: Json) =>
    Object.fromEntries(Object.keys(wanted).map((name) => [name, section(scene, name)])),
  ...Object.fromEntries(
    sections.map((name) => [name, (scene: Arbitrated) => section(scene, name)]),
  ),
  error({ result }, wanted: Json) {
    if (result.ok) return undefined;
    const { about } = wanted;
    const { message } = result.refusal;
    const saysSo = typeof about === "string" && message.includes(about);
    return { ...pick(result.refusal, wanted), ...(saysSo && { about }) };
  },
};

/** Only what the vector speaks of. */
function pick(actual: object, wanted: object): Json {
  return Object.fromEntries(Object.entries(actual).filter(([key]) => Object.hasOwn(wanted, key)));
}

/** A converted item is the whole expectation where that gives an id, else a part of it. */
function expectItem(item: MemoryItem, expected: Json): void {
  if (expected["id"] === undefined) expect(item).toMatchObject(expected);
  else expect(item).toEqual(expected);
}

const explainViews: Views<Explanation> = {
  lineage: ({ lineage }) => lineage,
  evidenceRefs: ({ evidenceRefs }) => evidenceRefs,
  sources: ({ sources }) => sources,
  item: ({ item }) => item,
};

const runs: Readonly<Record<string, (input: Json, expected: Json) => void>> = {
  arbiter(input, expected) {
    expect(viewedAs(arbiterViews, arbitrate(input), expected)).toEqual(expected);
  },
  "journal-item"(input, expected) {
    expectItem(journalItem(String(input["project"]), input["entry"] as JournalEntry), expected);
  },
  "memory-item"(input, expected) {
    expectItem(memoryItem(String(input["project"]), input["record"] as MemoryRecord), expected);
  },
  explain(input, expected) {
    const explained = explainItem(String(input["id"]), input["pool"] as MemoryItem[]);
    expect(viewedAs(explainViews, explained, expected)).toEqual(expected);
  },
};

for (const [area, run] of Object.entries(runs)) {
  const vectors = vectorsOf(area);
  describe.skipIf(vectors === undefined)(`vectors of ${area}`, () => {
    test.each(vectors ?? [])("$id: $why", ({ input, expect: expected }) => {
      run(input, expected);
    });
  });
}
