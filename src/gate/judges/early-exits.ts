import { blocksOf, withoutProgram } from "./entry-points.ts";

/** One way of one language to leave before the runner has judged. */
interface ExitRule {
  readonly files: RegExp;
  /** An end with 0, or with a value that may be 0; an end with another number is red anyhow. */
  readonly pattern: RegExp;
  /** True: no program needs it at this place. */
  readonly isNeverHonest?: true;
}

const js = /\.[cm]?[jt]sx?$/;

const exitRules: readonly ExitRule[] = [
  {
    files: js,
    pattern:
      /\bprocess\s*(?:\??\.|\[["'`])\s*(?:exit|reallyExit|execve)\b(?!["'`]?\]?\(\s*[1-9]|Code)|\bprocess\.(?:kill\(\s*process\.pid|emit\(\s*["'`]SIG)|\bimport\s+(?:\*\s+as\s+)?(?!process\b)\w+\s+from\s*["'](?:node:)?process["']|=\s*(?:globalThis\.)?process\s*(?:;|$)|\bexit\b[^}\n]*\}\s*(?:from\s*["'](?:node:)?process\b|=\s*(?:globalThis\.)?process\b)|\b(?:Deno|Bun)\.exit\((?!\s*[1-9])/gm,
  },
  {
    files: /\.py$/,
    pattern:
      /\bsys\.exit\b(?!\(\s*(?:[1-9]|f?["']))|\braise SystemExit\b(?!\(\s*(?:[1-9]|f?["']))|^\s*(?:exit|quit)\(\s*0?\s*\)|\bfrom sys import[^\n]*\bexit\b|\bimport sys as\b|\bos\.exec\w+\(/gm,
  },
  // It ends the process past every handler, pytest's and unittest's too.
  { files: /\.py$/, pattern: /(?<!\w)_exit\b(?!\(\s*[1-9])/g, isNeverHonest: true },
  { files: /\.go$/, pattern: /\b(?:os|syscall)\.Exit\b(?!\(\s*[1-9])/g },
  { files: /\.rs$/, pattern: /\bprocess::exit\(\s*0\s*\)/g },
  { files: /\.rb$/, pattern: /\bexit!?(?:\(\s*(?:0|true)?\s*\)|\s+(?:0|true))\s*$|\bexit!/gm },
  {
    files: /\.(?:java|kts?|scala|groovy)$/,
    pattern: /\b(?:System\.exit|exitProcess|Runtime\.getRuntime\(\)\.halt)\(\s*0\s*\)/g,
  },
];

/**
 * How often a text may end the process that judges it, outside of what runs only when it is
 * started as a program.
 * @param isProgram the file is an entry point: only what no program needs counts.
 */
export function countEarlyExits(path: string, text: string, isProgram: boolean): number {
  const code = withoutProgram(path, text.replaceAll(/^\s*(?:\/\/|#|\*).*$/gm, ""));
  const inProgram = path.endsWith(".go") ? blocksOf(code, /\bfunc init\(\)/g).join("\n") : "";
  return exitRules
    .filter(({ files }) => files.test(path))
    .reduce((sum, { pattern, isNeverHonest }) => {
      const read = isProgram && isNeverHonest !== true ? inProgram : code;
      return sum + (read.match(pattern)?.length ?? 0);
    }, 0);
}

/**
 * True for a Go test file whose `TestMain` does not end with what `m.Run()` says: it runs no test,
 * or ends with another code.
 */
export function hasUnjudgedTestMain(path: string, text: string): boolean {
  if (!path.endsWith("_test.go")) return false;
  const code = text.replaceAll(/\/\/.*$/gm, "");
  return blocksOf(code, /\bfunc TestMain\(/g).some((body) => {
    const runner = /TestMain\(\s*(\w+)/.exec(body)?.[1] ?? "m";
    const run = `${runner}\\.Run\\(\\)`;
    if (!new RegExp(`\\b${run}`).test(body)) return true;
    const exits = [...body.matchAll(/\b(?:os|syscall)\.Exit\(\s*(.*)\)/g)];
    return exits.some(([, said = ""]) => {
      const name = said.trim();
      if (/^[1-9]\d*$/.test(name) || new RegExp(`^${run}$`).test(name)) return false;
      if (!/^\w+$/.test(name) || /^\d/.test(name)) return !new RegExp(`\\b${run}`).test(name);
      const values = [...body.matchAll(new RegExp(`\\b${name}\\s*:?=(?!=)\\s*(.*)$`, "gm"))];
      const isRun = ([, value = ""]: RegExpMatchArray): boolean =>
        new RegExp(`^${run}`).test(value);
      return (
        !values.some(isRun) ||
        values.some((value) => !isRun(value) && !/^[1-9]/.test(value[1] ?? ""))
      );
    });
  });
}
