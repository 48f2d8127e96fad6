/** How a command is started: a program with arguments, or a line for the shell. */
export type CommandLine = { readonly argv: readonly string[] } | { readonly shell: string };

/** Who named a test command. `scout`, `project` and `pack` text never runs unless trusted. */
export type TestCommandSource =
  | { readonly kind: "flag" }
  | { readonly kind: "settings"; readonly file: string }
  | { readonly kind: "manifest"; readonly file: string }
  | { readonly kind: "pack"; readonly file: string }
  | { readonly kind: "project"; readonly file: string }
  | { readonly kind: "scout" };

/** A command that judges a change. */
export interface TestCommand {
  readonly command: CommandLine;
  /** Absolute folder the command runs in: the one kit was started in, or the manifest's. */
  readonly cwd: string;
  readonly source: TestCommandSource;
  /** True when the user's flags, settings or a manifest convention allow it to run. */
  readonly trusted: boolean;
}
