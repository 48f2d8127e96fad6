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
    name: "route",
    summary: "explain which models serve a capability, who was left out and why",
    load: () => import("./route.ts"),
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
    name: "runs",
    summary: "list the runs of a repository, newest first",
    load: () => import("./runs.ts"),
  },
  {
    name: "show",
    summary: "tell a run again from its records",
    load: () => import("./show.ts"),
  },
];
