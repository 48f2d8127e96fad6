import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { classifyProviderError } from "../../src/adapters/provider-errors/classify.ts";
import type { Candidate, FailureKind, RecordedEvent } from "../../src/contracts/index.ts";
import { repository } from "../support/repository.ts";
import { vectorsOf, type Views, viewedAs } from "../support/vectors.ts";
import { candidate, fileBlock, packText, type Played, play } from "./support.ts";

/** What a model of a vector does: fails, replies with a text, or writes a tree that the tests judge. */
interface Result {
  readonly fail?: string;
  readonly reply?: string;
  readonly scout?: string;
  readonly coder?: string;
  readonly tests?: "green" | "red";
  readonly output?: string;
  readonly writes?: string;
}

interface EscalationInput {
  readonly step?: "scout";
  readonly route?: readonly string[];
  readonly scoutRoute?: readonly string[];
  readonly coderRoute?: readonly string[];
  readonly results?: Readonly<Record<string, Result>>;
  readonly pools?: Readonly<Record<string, string>>;
  readonly identities?: Readonly<Record<string, string>>;
  readonly maxAttempts?: number;
  readonly before?: string;
  readonly dryRun?: boolean;
}

const vectors = vectorsOf("escalation")?.filter(({ input }) => input["dryRun"] !== true);

describe.skipIf(vectors === undefined)("escalation vectors", () => {
  test.each(vectors ?? [])("$id: $why", async ({ input, expect: expected }) => {
    const scene = await playVector(input);
    expect(viewedAs(views, scene, expected)).toEqual(expected);
  });
});

interface PlayedVector extends Played {
  readonly isScoutStep: boolean;
  readonly treeSeenBy: Readonly<Record<string, string>>;
}

/** The vector as a run: the tree is `state.txt`, green when a line of it says so. */
async function playVector(input: EscalationInput): Promise<PlayedVector> {
  const isScoutStep = input.step === "scout";
  const hasScout = isScoutStep || input.scoutRoute !== undefined;
  const before = input.before ?? "T0";
  const root = repository({
    "state.txt": `${before}\n`,
    "judge.sh": "cat state.txt; grep -qx green state.txt\n",
  });
  const treeSeenBy: Record<string, string> = {};
  const named = (name: string): Candidate => candidateOf(name, input);
  const route = (input.route ?? []).map(named);
  const coderRoute = isScoutStep
    ? [candidate("stand-in/coder")]
    : (input.coderRoute?.map(named) ?? route);
  const played = await play({
    root,
    task: "Make it green",
    test: "sh judge.sh",
    scout: isScoutStep ? route : (input.scoutRoute ?? []).map(named),
    coder: coderRoute,
    ...(!hasScout && {
      pack: {
        task: "t",
        goal: "g",
        constraints: [],
        relevantFiles: [{ path: "state.txt" }],
        expectedOutput: "e",
      },
    }),
    ...(input.maxAttempts !== undefined && { limits: { maxAttempts: input.maxAttempts } }),
    answer: ({ candidate: name, request }) => {
      treeSeenBy[name] ??= readFileSync(join(root, "state.txt"), "utf8").trim();
      const result = input.results?.[name] ?? { tests: "green" };
      if (result.fail !== undefined)
        return { ok: false, failure: classifyProviderError(result.fail, name, 0) };
      const asScout = request.systemPrompt.includes("scout");
      if (asScout)
        return /a valid pack/.test(result.reply ?? result.scout ?? "")
          ? packText("state.txt")
          : (result.reply ?? "");
      const colour = result.tests ?? result.coder ?? "green";
      return fileBlock(
        "state.txt",
        `${result.writes ?? name}\n${result.output ?? ""}\n${colour}\n`,
      );
    },
  });
  return { ...played, isScoutStep, treeSeenBy };
}

function candidateOf(name: string, input: EscalationInput): Candidate {
  const identity = input.identities?.[name] ?? name;
  return { ...candidate(name, { quotaPool: input.pools?.[name] ?? name }), identity };
}

function attemptsOf(
  played: Played,
  step: "scout" | "coder",
): Extract<RecordedEvent, { type: "attempt_finished" }>[] {
  return played.events
    .filter((event) => event.type === "attempt_finished")
    .filter((event) => event.step === step);
}

const views: Views<PlayedVector> = {
  calls: ({ calls, isScoutStep }) =>
    calls.map((call) => call.candidate).filter((name) => !isScoutStep || name !== "stand-in/coder"),
  outcome: ({ outcome }) => outcome.outcome,
  success: ({ outcome }) => outcome.outcome === "success",
  ok: (played) => attemptsOf(played, played.isScoutStep ? "scout" : "coder").at(-1)?.ok,
  escalated: (played) => attemptsOf(played, "coder").length > 1,
  attempts: (played) => attemptsOf(played, "coder").length,
  previousAttempts: (played) => attemptsOf(played, "coder").filter(({ ok }) => !ok).length,
  failure: (played) =>
    attemptsOf(played, "coder").flatMap(({ failure }): FailureKind[] =>
      failure ? [failure.kind] : [],
    ),
  nextCandidate: ({ outcome }) => outcome.nextCandidate?.backend,
  exitCode: ({ outcome }) => outcome.exitCode,
  scoutCalls: (played) => callsOf(played, "scout"),
  coderCalls: (played) => callsOf(played, "coder"),
  skipped: ({ events }) =>
    events.flatMap((event) =>
      event.type === "candidate_skipped"
        ? [{ candidate: event.candidate.backend, reason: event.reason }]
        : [],
    ),
  treeSeenBy: ({ treeSeenBy }) => treeSeenBy,
  promptOf: ({ calls }, wanted: Readonly<Record<string, { contains: readonly string[] }>>) =>
    Object.fromEntries(
      Object.entries(wanted).map(([name, { contains }]) => {
        const prompt = calls.find((call) => call.candidate === name)?.prompt ?? "";
        return [name, { contains: contains.filter((text) => prompt.includes(text)) }];
      }),
    ),
};

function callsOf(played: Played, step: "scout" | "coder"): number {
  return played.events.filter((event) => event.type === "call_started" && event.step === step)
    .length;
}
