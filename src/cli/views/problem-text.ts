import type { Problem } from "../../contracts/index.ts";
import { problemLine } from "../errors.ts";

/** What is wrong in configuration, below the answer itself; nothing where nothing is. */
export function problemLines(problems: readonly Problem[]): string[] {
  return problems.length === 0 ? [] : ["", ...problems.map(problemLine)];
}
