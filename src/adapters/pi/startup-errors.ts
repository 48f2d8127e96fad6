import type { Failure } from "../../contracts/index.ts";

/** What pi says on stderr when it ends before it asked a model anything. */
interface StartupErrorRow {
  readonly kind: "model_not_found" | "auth" | "environment";
  readonly text: RegExp;
  /** The real text; all seen with 1.6.0 or 0.73.1. */
  readonly example: string;
  /** For people; `$who` is `provider/model`. */
  readonly message: string;
  readonly mend: string;
}

export const startupErrorTable: readonly StartupErrorRow[] = [
  {
    kind: "model_not_found",
    text: /^(?:Error: )?Model ".*" (?:not found|is ambiguous)/m,
    example: 'Model "nope/nothing" not found. Use --list-models to see available models.',
    message: "pi does not know $who",
    mend: "See what pi knows: kit models (a broken models.json hides all its models: pi --list-models says why)",
  },
  {
    kind: "model_not_found",
    text: /^(?:Error: )?(?:Unknown provider ".*"|No models available)/m,
    example: "Error: No models available. Check your installation or add models to models.json.",
    message: "pi does not know $who",
    mend: "See what pi knows: kit models",
  },
  {
    kind: "auth",
    text: /^(?:Error: )?No API key found for /m,
    example:
      "No API key found for openai.\n\nUse /login to log into a provider via OAuth or API key. See:",
    message: "pi has no sign-in for $who",
    mend: "Sign in: start pi and use /login, or set the provider's API key",
  },
  {
    kind: "environment",
    text: /Credential store read failed/,
    example:
      "Credential store read failed: EACCES: permission denied, open '/home/u/.pi/agent/auth.json'",
    message: "pi cannot read its own sign-in store",
    mend: "Make pi's folder (~/.pi/agent) readable and writable for you",
  },
  {
    kind: "environment",
    text: /^Error: Unknown option/m,
    example: "Error: Unknown option: --no-approve",
    message: "this pi does not take the options of its version",
    mend: "Run kit again (it asks pi for its version anew), or update pi: npm install -g @earendil-works/pi-coding-agent",
  },
  {
    kind: "environment",
    text: /^SyntaxError: /m,
    example:
      "SyntaxError: The requested module 'node:module' does not provide an export named 'enableCompileCache'",
    message: "pi does not run on the Node that PATH names first",
    mend: "Put Node 22.19 or newer first on PATH",
  },
  {
    kind: "environment",
    text: /ERR_MODULE_NOT_FOUND|Cannot find (?:module|package)/,
    example:
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'undici' imported from /usr/lib/node_modules/x.js",
    message: "pi is installed incompletely",
    mend: "Install it again: npm install -g @earendil-works/pi-coding-agent",
  },
  {
    kind: "environment",
    text: /^(?:\/usr\/bin\/)?env: .*(?:node|bun|sh).*: (?:No such file|Permission denied)/m,
    example: "/usr/bin/env: 'node': No such file or directory",
    message: "pi's interpreter is not on PATH",
    mend: "Put Node 22.19 or newer on PATH",
  },
  {
    kind: "environment",
    text: /\b(?:ENOSPC|EROFS|EDQUOT)\b/,
    example: "Error: ENOSPC: no space left on device, open '/home/u/.pi/agent/auth.json.lock'",
    message: "pi cannot write its own files",
    mend: "Free disk space",
  },
];

/** What a pi that ended before any request meant, or undefined when its text says nothing known. */
export function readStartupError(stderr: string, who: string): Failure | undefined {
  const row = startupErrorTable.find(({ text }) => text.test(stderr));
  if (row === undefined) return undefined;
  const message = row.message.replaceAll("$who", who);
  const detail = stderr.trim().slice(0, 4000);
  if (row.kind === "environment") return { kind: row.kind, message, detail, mend: row.mend };
  return { kind: row.kind, message: `${message}. ${row.mend}`, detail };
}
