import { describe, expect, test } from "vitest";
import {
  addTaskLimits,
  completenessOf,
  selfCheckPack,
  type CheckFacts,
  withComputedFields,
  measurePack,
} from "../../src/context-pack/index.ts";
import type { ContextPack } from "../../src/contracts/index.ts";
import { pack } from "./support.ts";

const good = pack({ successCriteria: [{ text: "add works", check: "npm test" }] });
const file = "one\ntwo\nthree\n";

interface Row {
  readonly rule: string;
  readonly severity: "errors" | "warnings";
  readonly broken: Partial<ContextPack>;
  readonly kept: Partial<ContextPack>;
  readonly facts: CheckFacts;
}

const snippet = (content: string, lines?: string) => ({
  relevantSnippets: [{ path: "a", content, ...(lines !== undefined && { lines }) }],
});

const rows: readonly Row[] = [
  { rule: "valid", severity: "errors", broken: { goal: "" }, kept: {}, facts: {} },
  {
    rule: "every MUST and MUST NOT present",
    severity: "errors",
    broken: { constraints: [{ text: "Do not touch the format" }] },
    kept: { constraints: [{ text: "You MUST NOT change the format." }] },
    facts: { task: "Fix save().\n- You MUST NOT change the format.\nmust be quick" },
  },
  {
    rule: "recorded failures listed",
    severity: "errors",
    broken: {},
    kept: { previousAttempts: [{ summary: "s" }] },
    facts: { recordedFailures: 1 },
  },
  {
    rule: "within budget",
    severity: "errors",
    broken: { budget: { maxTokens: 50 } },
    kept: { budget: { maxTokens: 400 } },
    facts: { fileContents: ["x".repeat(400)] },
  },
  {
    rule: "no path that does not exist",
    severity: "errors",
    broken: { relevantFiles: [{ path: "gone" }] },
    kept: { relevantFiles: [{ path: "a" }, { path: "n", create: true }] },
    facts: { files: ["a"] },
  },
  {
    rule: "a verifiable criterion",
    severity: "warnings",
    broken: { successCriteria: [] },
    kept: {},
    facts: {},
  },
  {
    rule: "no snippet that is a whole file",
    severity: "warnings",
    broken: snippet("one\ntwo\nthree"),
    kept: snippet("two", "2-2"),
    facts: { fileText: () => file },
  },
  {
    rule: "every snippet equals the lines it names",
    severity: "warnings",
    broken: snippet("two!", "2-2"),
    kept: snippet("two\nthree", "2-3"),
    facts: { fileText: () => file },
  },
  {
    rule: "constraints are limits, not an approach",
    severity: "warnings",
    broken: { constraints: [{ text: "Use a map for the lookup" }] },
    kept: {
      constraints: [{ text: "Use only the standard library" }, { text: "Do not add a map" }],
    },
    facts: {},
  },
];

describe("the self-check, rule by rule", () => {
  test.each(rows)("$rule", ({ rule, severity, broken, kept, facts }) => {
    const rulesOf = (own: Partial<ContextPack>): string[] =>
      selfCheckPack({ ...good, ...own }, facts)[severity].map((finding) => finding.rule);

    expect(rulesOf(broken)).toEqual([rule]);
    expect(rulesOf(kept)).toEqual([]);
  });

  test("a pack that keeps every rule has nothing to tell", () => {
    expect(selfCheckPack(good, { files: ["src/math.js"] })).toEqual({ errors: [], warnings: [] });
  });

  test("a snippet without lines has to stand in its file somewhere", () => {
    const of = (content: string): number =>
      selfCheckPack({ ...good, ...snippet(content) }, { fileText: () => file }).warnings.length;

    expect([of("two\nthree"), of("two three")]).toEqual([0, 1]);
  });
});

test("the limits of a task are added word for word, once", () => {
  const task = "Fix it.\n* MUST NOT: touch x\nIt MUST stay fast\nIt MUST stay fast";
  const limited = addTaskLimits(pack(), task);

  expect(limited.constraints).toEqual([
    { kind: "must_not", text: "touch x" },
    { text: "It MUST stay fast" },
  ]);
  expect(addTaskLimits(limited, task)).toEqual(limited);
  expect(selfCheckPack(limited, { task }).errors).toEqual([]);
});

describe("completeness", () => {
  const full = pack({
    constraints: [{ text: "c" }],
    successCriteria: [{ text: "s" }],
    testCommands: ["npm test"],
  });

  test.each<[string, ContextPack, number, string]>([
    ["everything", full, 0, "full"],
    ["no constraint", { ...full, constraints: [] }, 0, "partial"],
    ["a failure that is not listed", full, 1, "partial"],
    [
      "no files, and a discovery that says so",
      { ...full, relevantFiles: [], discovery: { status: "none" } },
      0,
      "full",
    ],
    ["two missing", { ...full, constraints: [], testCommands: [] }, 0, "minimal"],
  ])("%s", (_title, one, failures, wanted) => {
    expect(completenessOf(one, failures)).toBe(wanted);
  });

  test("is computed with the size and never taken over", () => {
    const claimed = pack({ completeness: "full", tokenEstimate: 1, warnings: ["all good"] });

    const computed = withComputedFields(claimed, {
      warnings: ["w"],
      fileContents: ["x".repeat(40)],
    });

    expect(computed).toMatchObject({ version: 2, completeness: "minimal", warnings: ["w"] });
    expect(computed.tokenEstimate).toBeGreaterThan(measurePack(pack()) + 9);
  });
});
