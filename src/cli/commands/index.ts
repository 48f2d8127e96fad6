import type { CommandDefinition } from "../command.ts";

/** A command before it is loaded: enough for `kit --help` and for "did you mean". */
export interface CommandEntry {
  /** Name and arguments as commander writes them. */
  readonly usage: string;
  readonly summary: string;
  /** Loads the command, or the commands below it. */
  readonly load?: () => Promise<{ readonly command: CommandDefinition<never> }>;
  readonly below?: readonly CommandEntry[];
}

/** Every command, in the order of `kit --help`; each is a chunk of the bundle, loaded when asked for. */
export const commands: readonly CommandEntry[] = [
  {
    usage: "route [capability]",
    summary: "explain which models serve a capability, and who was left out and why",
    load: () => import("./route.ts"),
  },
];
