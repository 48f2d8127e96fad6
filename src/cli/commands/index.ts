import type { CommandDefinition } from "../command.ts";

/** A command before it is loaded: enough for `kit --help` and for "did you mean". */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Loads the command, or the commands below it. */
  readonly load?: () => Promise<{ readonly command: CommandDefinition<never> }>;
  readonly below?: readonly CommandEntry[];
}

/** Every command, in the order of `kit --help`; each is a chunk of the bundle, loaded when asked for. */
export const commands: readonly CommandEntry[] = [
  {
    name: "init",
    summary: "find the models this machine can call, and bind them",
    load: () => import("./init.ts"),
  },
  {
    name: "doctor",
    summary: "say what works here, what does not, and what mends it",
    load: () => import("./doctor.ts"),
  },
  {
    name: "run",
    summary: "take one task to green tests",
    load: () => import("./run.ts"),
  },
  {
    name: "batch",
    summary: "run many tasks, each in a tree of its own",
    load: () => import("./batch.ts"),
  },
  {
    name: "resume",
    summary: "go on with a run that was stopped, paying for nothing twice",
    load: () => import("./resume.ts"),
  },
  {
    name: "demo",
    summary: "see a whole run happen, without an account",
    load: () => import("./demo.ts"),
  },
  {
    name: "test",
    summary: "run the tests of this tree as a run would, without a model",
    load: () => import("./test.ts"),
  },
  {
    name: "apply",
    summary: "apply a coder's reply, all of it or nothing",
    load: () => import("./apply.ts"),
  },
  {
    name: "undo",
    summary: "take the change of a run back",
    load: () => import("./undo.ts"),
  },
  {
    name: "replay",
    summary: "say what this kit would decide otherwise in a recorded run",
    load: () => import("./replay.ts"),
  },
  {
    name: "trust",
    summary: "say what of a repository's own configuration and commands may be used",
    load: () => import("./trust.ts"),
  },
  {
    name: "route",
    summary: "explain which models serve a capability, who was left out and why",
    load: () => import("./route.ts"),
  },
  {
    name: "stats",
    summary: "say what each model did in earlier runs, and what it cost",
    load: () => import("./stats.ts"),
  },
  {
    name: "simulate",
    summary: "replay earlier runs under another order of models, and price it",
    load: () => import("./simulate.ts"),
  },
  {
    name: "agents",
    summary: "list the agents that are loaded, and from where",
    load: () => import("./agents.ts"),
  },
  {
    name: "models",
    summary: "list the backends and the models they are bound to",
    load: () => import("./models.ts"),
  },
  {
    name: "quota",
    summary: "say which accounts are spent until when, and what was spent",
    load: () => import("./quota.ts"),
    below: [
      {
        name: "clear",
        summary: "forget the limits of an account, or of all",
        load: () => import("./quota/clear.ts"),
      },
    ],
  },
  {
    name: "pack",
    summary: "check, render, write and shrink Context Packs",
    below: [
      {
        name: "check",
        summary: "say whether a file is a Context Pack, and what is wrong with it",
        load: () => import("./pack/check.ts"),
      },
      {
        name: "render",
        summary: "print the canonical Markdown of a Context Pack",
        load: () => import("./pack/render.ts"),
      },
      {
        name: "scout",
        summary: "let the scout write a Context Pack; calls a model",
        load: () => import("./pack/scout.ts"),
      },
      {
        name: "shrink",
        summary: "cut a Context Pack to a budget, by rule",
        load: () => import("./pack/shrink.ts"),
      },
    ],
  },
  {
    name: "pi",
    summary: "bring kit's models and kit itself into pi",
    below: [
      {
        name: "proposal",
        summary: "say which models pi's subagents would get, and what would change",
        load: () => import("./pi/proposal.ts"),
      },
      {
        name: "apply",
        summary: "merge that into pi's settings, with a copy of the old file",
        load: () => import("./pi/apply.ts"),
      },
      {
        name: "check",
        summary: "start pi offline and say what of kit it loads",
        load: () => import("./pi/check.ts"),
      },
    ],
  },
  {
    name: "context",
    summary: "see what earlier runs contribute",
    below: [
      {
        name: "get",
        summary: "show what a role is given for a task",
        load: () => import("./context/get.ts"),
      },
      {
        name: "explain",
        summary: "say where an item comes from",
        load: () => import("./context/explain.ts"),
      },
      {
        name: "recall",
        summary: "search the journal of earlier runs",
        load: () => import("./context/recall.ts"),
      },
    ],
  },
  {
    name: "runs",
    summary: "list the runs of a repository, newest first",
    load: () => import("./runs.ts"),
    below: [
      {
        name: "gc",
        summary: "remove old runs, and what nothing needs any more",
        load: () => import("./runs/gc.ts"),
      },
    ],
  },
  {
    name: "show",
    summary: "tell a run again from its records",
    load: () => import("./show.ts"),
  },
  {
    name: "report",
    summary: "write a run, or all of them, as a page to look at and to show",
    load: () => import("./report.ts"),
  },
];
