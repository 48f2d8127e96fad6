import { isCredentialKey } from "./credentials.ts";
import { redact } from "./redaction.ts";
import type { YamlProblem } from "./yaml.ts";

/** A syntax error in words of people, with the key where one is at fault. */
export interface SyntaxExplanation extends YamlProblem {
  readonly key?: string;
  /** The line as written, shortened; absent where it may hold a secret. */
  readonly value?: string;
}

/** Messages of yaml 2 that speak of its grammar, and what a person did to get them. */
const explanations: readonly {
  readonly says: RegExp;
  readonly explain: (found: YamlProblem, lines: readonly string[]) => SyntaxExplanation;
}[] = [
  {
    says: /^Map keys must be unique/,
    explain: (found, lines) => {
      const key = keyAt(lines, found);
      return { ...found, message: `the key "${key}" stands here a second time`, key };
    },
  },
  {
    // The grammar names the line before; what is wrong is the indented one below it.
    says: /^Implicit keys need to be on a single line/,
    explain: (found, lines) => {
      const start = found.place.line ?? 1;
      const below = lines.findIndex((line, index) => index >= start && /^\s+\S*:/.test(line));
      if (below === -1) return found;
      const column = (lines[below] ?? "").search(/\S/) + 1;
      return {
        ...found,
        place: { file: found.place.file, line: below + 1, column },
        message: "is indented deeper than the key above it, which has a value already",
      };
    },
  },
  {
    says: /^Nested mappings are not allowed/,
    explain: (found) => ({
      ...found,
      message: "a second colon stands on this line: put the value in quotes",
    }),
  },
];

/**
 * The one syntax error to show of a text that could not be read: the first, for what follows is
 * mostly its echo. `undefined` where there is none.
 */
export function explainSyntax(
  problems: readonly YamlProblem[],
  text: string,
): SyntaxExplanation | undefined {
  const errors = problems.filter((problem) => problem.severity === "error");
  const first = errors[0];
  if (first === undefined) return undefined;
  const sameLine = errors.filter((problem) => problem.place.line === first.place.line);
  const lines = text.split(/\r?\n/);
  for (const { says, explain } of explanations) {
    const found = sameLine.find((problem) => says.test(problem.message));
    if (found !== undefined) return withLine(explain(found, lines), lines);
  }
  return withLine(first, lines);
}

function withLine(found: SyntaxExplanation, lines: readonly string[]): SyntaxExplanation {
  const line = (lines[(found.place.line ?? 1) - 1] ?? "").trim();
  const keys = line.match(/[\w-]+(?=["']?\s*[:=])/g) ?? [];
  if (line === "" || redact(line) !== line || keys.some(isCredentialKey)) return found;
  return { ...found, value: line.length > 80 ? `${line.slice(0, 79)}…` : line };
}

function keyAt(lines: readonly string[], found: YamlProblem): string {
  const rest = (lines[(found.place.line ?? 1) - 1] ?? "").slice((found.place.column ?? 1) - 1);
  const match = /^(?:"([^"]*)"|'([^']*)'|([^\s:{},]+))/.exec(rest);
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? rest;
}
