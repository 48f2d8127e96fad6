import type { ExitCode } from "../../contracts/index.ts";

/** What was looked at, and what is known of it. */
export interface Check {
  readonly group: "machine" | "models" | "agents" | "repository";
  readonly name: string;
  readonly state: "ok" | "warning" | "problem" | "not_checked";
  /** One line for people. */
  readonly said: string;
  /** What mends it, a command where there is one. */
  readonly mend?: string;
  /** How `kit run` would end because of it; problems alone have it. */
  readonly exitCode?: ExitCode;
}

/** Makes the checks of one group. */
export function checksOf(group: Check["group"]) {
  return {
    ok: (name: string, said: string): Check => ({ group, name, state: "ok", said }),
    notChecked: (name: string, said: string): Check => {
      return { group, name, state: "not_checked", said };
    },
    warning: (name: string, said: string, mend: string): Check => {
      return { group, name, state: "warning", said, mend };
    },
    problem: (name: string, said: string, mend: string, exitCode: 2 | 3 | 5): Check => {
      return { group, name, state: "problem", said, mend, exitCode };
    },
  };
}

/** The order in which `kit run` looks: its files, who serves it, then the machine. */
const precedence: readonly ExitCode[] = [2, 3, 5];

/** How a run that starts now would end, as far as this is known; 0: nothing speaks against it. */
export function exitCodeOf(checks: readonly Check[]): ExitCode {
  return precedence.find((code) => checks.some(({ exitCode }) => exitCode === code)) ?? 0;
}
