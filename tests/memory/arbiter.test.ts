import {
  array,
  assert,
  constantFrom,
  integer,
  option,
  property,
  record,
  shuffledSubarray,
  string,
  uniqueArray,
} from "fast-check";
import { describe, expect, test } from "vitest";
import { type Arbitration, type MemoryItem, selectContext } from "../../src/memory/index.ts";
import { item } from "./support.ts";

const planner = { project: "p", role: "planner", task: "t" };

function served(result: Arbitration): Extract<Arbitration, { ok: true }> {
  if (!result.ok) throw new Error(result.refusal.message);
  return result;
}

const idsOf = (result: Arbitration): string[] => served(result).selected.map(({ id }) => id);

describe("the order of items", () => {
  test.each<readonly [why: string, first: MemoryItem, second: MemoryItem]>([
    ["an own one before a shared one", item("b"), item("a", { project: "_shared" })],
    [
      "words of the task before the wanted kind",
      item("b", { kind: "evidence", summary: "the parser chokes on tabs" }),
      item("a", { kind: "state", status: "current", summary: "the printer is fine" }),
    ],
    [
      "kind before confidence",
      item("b", { kind: "knowledge", confidence: "uncertain" }),
      item("a", { kind: "evidence", confidence: "verified" }),
    ],
    [
      "confidence before authority",
      item("b", { confidence: "verified" }),
      item("a", { authority: "policy" }),
    ],
    [
      "authority before age",
      item("b", { authority: "policy" }),
      item("a", { observedAt: "2026-01-01T00:00:00Z" }),
    ],
    [
      "the newer one first",
      item("b", { observedAt: "2026-02-01T00:00:00Z" }),
      item("a", { observedAt: "2026-01-01T00:00:00Z" }),
    ],
    [
      "a dated one before one without a date",
      item("b", { observedAt: "2026-01-01T00:00:00Z" }),
      item("a"),
    ],
    ["the id last, by code unit", item("B"), item("a")],
  ])("%s", (_, first, second) => {
    const request = { ...planner, task: "The parser chokes" };

    expect(idsOf(selectContext(request, [second, first]))).toEqual([first.id, second.id]);
  });

  test("an authority above what its origin may have counts as what it may have", () => {
    const loud = item("a", { authority: "policy", provenance: { sourceType: "external" } });
    const plain = item("b", { authority: "instruction" });

    expect(idsOf(selectContext(planner, [loud, plain]))).toEqual(["b", "a"]);
    expect(served(selectContext(planner, [loud])).selected[0]).toBe(loud);
  });

  test("a derived item has no more authority than its strongest parent", () => {
    const parent = item("z", { authority: "hypothesis", confidence: "uncertain" });
    const child = item("a", {
      provenance: { sourceType: "derived", derivedFrom: ["z", "a"] },
    });
    const other = item("b");

    expect(idsOf(selectContext(planner, [parent, child, other]))).toEqual(["b", "a", "z"]);
  });
});

describe("a request fails", () => {
  test.each([
    ["an item of another project", [item("x", { project: "q" })], "context_isolation_violation"],
    ["two items of one id", [item("x"), item("x")], "context_item_invalid"],
    ["a state without a status", [item("x", { kind: "state" })], "context_item_invalid"],
    [
      "a summary that is too long",
      [item("x", { summary: "s".repeat(4_001) })],
      "context_item_invalid",
    ],
    ["an id that is too long", [item("x".repeat(129))], "context_item_invalid"],
    ["a ref given twice", [item("x", { evidenceRefs: ["r", "r"] })], "context_item_invalid"],
  ])("over %s", (_, pool, code) => {
    expect(selectContext(planner, pool)).toMatchObject({ ok: false, refusal: { code } });
  });

  test.each(["permissions", "tools", "credentials"])("over an item that carries %s", (power) => {
    const result = selectContext(planner, [{ ...item("x"), [power]: ["shell"] }]);

    expect(result).toMatchObject({
      ok: false,
      refusal: { message: `item x: it may not carry ${power}` },
    });
  });
});

test("the cap of items is said", () => {
  const { packet, audit } = served(
    selectContext(planner, [item("a"), item("b"), item("c")], { maxItems: 2 }),
  );

  expect(packet.gaps).toEqual(["cap of 2 items reached; 1 candidates left out"]);
  expect(audit).toMatchObject({ selected: ["a", "b"], leftOut: [{ id: "c" }], deferred: 0 });
});

test("the audit holds no summaries, and says why each other item is out", () => {
  const pool = [
    item("in", { summary: "secret plan" }),
    item("old", { status: "superseded" }),
    item("far", { kind: "episode" }),
    item("next", { kind: "state", status: "proposed" }),
    item("big", { summary: "x".repeat(3_000) }),
  ];

  const { audit } = served(selectContext({ ...planner, budgetTokens: 512 }, pool));

  expect(JSON.stringify(audit)).not.toContain("secret plan");
  expect(audit.leftOut).toEqual([
    { id: "old", why: "is superseded" },
    { id: "far", why: "kind episode is not wanted" },
    { id: "next", why: "is proposed" },
    { id: "big", why: "does not fit the budget of 512 tokens" },
  ]);
});

const anyItem = record({
  kind: constantFrom("evidence", "state", "episode", "knowledge", "skill"),
  project: constantFrom("p", "_shared"),
  summary: string({ minLength: 1, maxLength: 60 }),
  authority: constantFrom("policy", "instruction", "evidence", "hypothesis"),
  confidence: constantFrom("verified", "probable", "uncertain"),
  status: constantFrom("current", "superseded", "proposed", "rejected"),
  observedAt: option(constantFrom("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "soon"), {
    nil: "",
  }),
} as const);

const anyPool = uniqueArray(string({ minLength: 1, maxLength: 3 }), { maxLength: 12 }).chain(
  (ids) =>
    array(anyItem, { minLength: ids.length, maxLength: ids.length }).map((parts) =>
      parts.map((part, index) => item(ids[index] ?? "", part)),
    ),
);

describe("whatever the pool", () => {
  test("its order makes no difference, the budget holds, and all that is selected is shown", () => {
    assert(
      property(
        anyPool.chain((pool) =>
          shuffledSubarray(pool, { minLength: pool.length }).map((shuffled) => ({
            pool,
            shuffled,
          })),
        ),
        constantFrom("repro", "planner", "implementer", "critic", "verifier", "gardener"),
        integer({ min: 1, max: 60 }),
        ({ pool, shuffled }, role, budgetTokens) => {
          const request = { project: "p", task: "s of the parser", role, budgetTokens };
          const contradictionIds = pool.slice(0, 1).map(({ id }) => id);
          const one = served(selectContext(request, pool, { contradictionIds }));
          const other = served(selectContext(request, shuffled, { contradictionIds }));

          expect(other.packet).toEqual(one.packet);
          expect(one.packet.estimatedTokens).toBeLessThanOrEqual(budgetTokens);
          const { currentState, knowledge, evidence, episodes, skills, contradictions } =
            one.packet;
          const shown = [
            ...currentState,
            ...knowledge,
            ...evidence,
            ...episodes,
            ...skills,
            ...contradictions,
          ];
          expect(new Set(shown)).toEqual(new Set(one.selected));
          expect(shown).toHaveLength(one.selected.length);
          for (const each of shown) expect(pool).toContain(each);
        },
      ),
    );
  });
});
