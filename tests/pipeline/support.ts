import { join } from "node:path";
import { onTestFinished } from "vitest";
import type {
  Adapter,
  Agent,
  CallRequest,
  CallResult,
  Candidate,
  ContextPack,
  Ledger,
  RecordedEvent,
  Thinking,
} from "../../src/contracts/index.ts";
import { openGit, stateFolder } from "../../src/lib/git.ts";
import type { Memory } from "../../src/memory/index.ts";
import {
  type Ladder,
  openInPlace,
  type RunLimits,
  type RunOptions,
  type RunOutcome,
  runPipeline,
} from "../../src/pipeline/index.ts";
import { openMemoryLedger } from "../../src/routing/index.ts";
import { continueRun, createRun, createRunId } from "../../src/runs/index.ts";
import { surveyRepository } from "../../src/survey/index.ts";
import { repository } from "../support/repository.ts";

/** A small repository whose test is red until `add` adds. */
export const redRepository = {
  "src/math.js": "export const add = (a, b) => a - b;\n",
  "check.sh": "grep -q 'a + b' src/math.js || { echo 'AssertionError: 3 !== 5'; exit 1; }\n",
};

export const fixedMath = "export const add = (a, b) => a + b;\n";

/** A whole-file block without a tag. */
export function fileBlock(path: string, content: string): string {
  return `=== FILE: ${path} ===\n${content}=== END ===\n`;
}

/** A pack of the least that is valid. */
export function packText(...files: string[]): string {
  const items = files.map((path) => `- \`${path}\` — part of the change`).join("\n");
  return `# Context Pack\n\n## task\nFix add()\n\n## goal\nadd(2, 3) returns 5.\n\n## constraints\n- Touch only the listed files.\n\n## relevant_files\n${items}\n\n## expected_output\nBlocks.\n`;
}

export const mathPack: ContextPack = {
  task: "Fix add()",
  goal: "add(2, 3) returns 5.",
  constraints: [],
  relevantFiles: [{ path: "src/math.js" }],
  expectedOutput: "Blocks.",
};

/** A candidate from `provider/model:thinking`, with a quota pool of its own unless given. */
export function candidate(name: string, more: Partial<Candidate["binding"]> = {}): Candidate {
  const [, provider = "", model = "", thinking] = /^([^/]+)\/([^:]+)(?::(.+))?$/.exec(name) ?? [];
  return {
    backend: name,
    identity: `scripted\0${name}`,
    degraded: [],
    binding: {
      adapter: "scripted",
      provider,
      model,
      ...(thinking !== undefined && { thinking: thinking as Thinking }),
      quotaPool: name,
      editFormat: "auto",
      extensions: false,
      ...more,
    },
  };
}

/** One request as the stand-in for a model saw it. */
export interface SeenCall {
  readonly candidate: string;
  readonly prompt: string;
}

/** Answers a call: the text of a reply, or a whole result. `nth` counts the candidate's calls from 1. */
export type Answer = (
  call: SeenCall & { readonly nth: number; readonly request: CallRequest },
) => string | CallResult | Promise<string | CallResult>;

export interface Scene {
  readonly files?: Record<string, string>;
  readonly root?: string;
  readonly task?: string;
  readonly test?: string;
  readonly scout?: readonly Candidate[];
  readonly coder: readonly Candidate[];
  readonly answer: Answer;
  /** Candidates of the review, and how many are to agree. */
  readonly review?: { readonly candidates: readonly Candidate[]; readonly reviewers?: number };
  /** Absent: the scout writes one. */
  readonly pack?: ContextPack | undefined;
  readonly limits?: Partial<RunLimits>;
  readonly options?: Partial<RunOptions>;
  readonly signal?: AbortSignal;
  readonly memory?: Memory;
  /** Lets a baseline be taken from a cache. */
  readonly testSettings?: string;
  readonly ladder?: Ladder;
  /** Goes on with this run of `root`. */
  readonly resumes?: string;
  /** What the tests of the tree hold for; absent: nobody can tell. */
  readonly treeHash?: string;
  /** Default: one that knows nothing. */
  readonly ledger?: Ledger;
}

export interface Played {
  readonly outcome: RunOutcome;
  readonly calls: readonly SeenCall[];
  readonly events: readonly RecordedEvent[];
  readonly root: string;
  readonly id: string;
  /** Milliseconds that the clock was asked to wait, in all. */
  readonly waitedMs: number;
}

/**
 * Plays a whole run on a real repository with a real record and real test commands. Only the
 * models are a stand-in: an adapter that answers from the scene, as no model can be had here.
 */
export async function play(scene: Scene): Promise<Played> {
  const root = scene.root ?? repository(scene.files ?? redRepository);
  const git = await openGit(root);
  const calls: SeenCall[] = [];
  const adapter = scriptedAdapter(scene.answer, calls);
  const id = scene.resumes ?? createRunId(new Date(), Math.random);
  const { workspace } = await openInPlace(
    { root, git, stateDir: await stateFolder(git, root) },
    id,
  );
  onTestFinished(() => workspace.close());
  const place = { folder: join(root, ".kit", "runs"), id, clock: () => new Date() };
  const record = await (scene.resumes === undefined ? createRun(place) : continueRun(place));
  if (scene.resumes !== undefined) {
    await record.emit({ type: "run_resumed", runId: id, kitVersion: "", changed: [] });
  }
  const events: RecordedEvent[] = [];
  record.subscribe((event) => void events.push(event));
  let waitedMs = 0;
  const now = (): number => Date.now() + waitedMs;
  const ledger = scene.ledger ?? (await openMemoryLedger(now));
  const task = scene.task ?? "Fix add()";
  try {
    const outcome = await runPipeline({
      task,
      workspace,
      ...(git && { git }),
      survey: (failingOutput) => surveyRepository({ root, git, task, failingOutput }),
      agents: { scout: agent("scout", "cheap-code"), coder: agent("coder", "strong-code") },
      routes: {
        scout: {
          capability: "cheap-code",
          candidates: scene.scout ?? [candidate("p0/scout")],
          skipped: [],
        },
        coder: { capability: "strong-code", candidates: scene.coder, skipped: [] },
      },
      ...(scene.review !== undefined && {
        review: {
          agent: agent("reviewer", "deep-review"),
          route: {
            capability: "deep-review",
            candidates: scene.review.candidates,
            skipped: [],
          },
          reviewers: scene.review.reviewers ?? 1,
        },
      }),
      adapters: new Map([["scripted", adapter]]),
      ledger,
      ...(scene.ladder !== undefined && { ladders: { coder: scene.ladder } }),
      ...(scene.pack !== undefined && { pack: scene.pack }),
      ...(scene.treeHash !== undefined && { treeHash: scene.treeHash }),
      ...(scene.memory !== undefined && { memory: scene.memory }),
      ...(scene.testSettings !== undefined && { testSettings: scene.testSettings }),
      testCommands:
        scene.test === ""
          ? []
          : [
              {
                command: { shell: scene.test ?? "sh check.sh" },
                cwd: root,
                source: { kind: "flag" },
                trusted: true,
              },
            ],
      environment: process.env,
      limits: {
        maxAttempts: 3,
        maxCalls: 12,
        callTimeoutMs: 60_000,
        callIdleTimeoutMs: 60_000,
        retryWaitMs: 1,
        gateTimeoutMs: 60_000,
        baselineWaitMs: 60_000,
        ...scene.limits,
      },
      options: {
        repairs: "off",
        keepFailed: false,
        mayEditTests: false,
        allowUntested: false,
        wholeFileLines: 200,
        language: "English",
        passEnvironment: [],
        ...scene.options,
      },
      clock: {
        now,
        sleep(ms, signal) {
          // The wait for the baseline ends with it, unless the scene sets one: that is over at once.
          if (ms === 60_000) return aborted(signal);
          if (ms !== scene.limits?.baselineWaitMs) waitedMs += ms;
          return Promise.resolve();
        },
      },
      signal: scene.signal ?? new AbortController().signal,
      record,
    });
    return { outcome, calls, events, root, id, waitedMs };
  } finally {
    await record.close();
    await workspace.close();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}

function scriptedAdapter(answer: Answer, calls: SeenCall[]): Adapter {
  const counts = new Map<string, number>();
  return {
    name: "scripted",
    check: () => Promise.resolve({ program: "scripted", version: "1" }),
    models: () => Promise.resolve([]),
    async call(request) {
      const name = request.candidate.backend;
      const nth = (counts.get(name) ?? 0) + 1;
      counts.set(name, nth);
      const call = { candidate: name, prompt: request.prompt };
      calls.push(call);
      const given = await answer({ ...call, nth, request });
      return typeof given === "string" ? { ok: true, text: given, servedBy: name } : given;
    },
  };
}

function agent(name: string, capability: string): Agent {
  return {
    name,
    description: "Plays in a test.",
    capability,
    access: { filesystem: "none", shell: "none", git: "none", network: false },
    execution: "oneshot",
    tools: [],
    other: {},
    body: `You are the ${name}.`,
    layer: "shipped",
    file: `${name}.md`,
    available: true,
  };
}
