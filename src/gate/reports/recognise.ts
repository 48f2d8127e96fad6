import type { TestCommand } from "../../contracts/index.ts";
import { chainedCommands, programWords, scriptCall, shellText } from "./command-words.ts";
import { type Runner, runners } from "./runners.ts";

/** A runner, and how words reach it through the command that starts it. */
export interface Recognised {
  readonly runner: Runner;
  /** The runner's own words, its program first. */
  readonly words: readonly string[];
  /** The command with words for the runner at its end; undefined where they would not reach it. */
  readonly withWords: ((words: readonly string[]) => TestCommand) | undefined;
}

/** Scripts that name scripts are followed so far. */
const maxDepth = 4;

/** Where in a chain the runner stands, and what must precede words for it. */
interface Found {
  readonly runner: Runner;
  readonly words: readonly string[];
  readonly separator: readonly string[];
  readonly takesWords: boolean;
}

/**
 * The runner that a command starts, directly or through scripts of package.json. Undefined where
 * there is none in the table, where several run, or where the line is more than `a && b`.
 * @param scripts of the package.json that a package manager would read in the command's folder.
 */
export function recognise(
  command: TestCommand,
  scripts: Readonly<Record<string, string>>,
): Recognised | undefined {
  const line = command.command;
  const chain = "argv" in line ? [line.argv] : chainedCommands(line.shell);
  const found = chain === undefined ? undefined : inChain(chain, scripts, 0);
  if (found === undefined) return undefined;
  const { runner, words: own, separator, takesWords } = found;
  if (!takesWords) return { runner, words: own, withWords: undefined };
  return {
    runner,
    words: own,
    withWords: (words) => {
      const all = [...separator, ...words];
      return {
        ...command,
        command:
          "argv" in line
            ? { argv: [...line.argv, ...all] }
            : { shell: `${line.shell} ${shellText(all)}` },
      };
    },
  };
}

function inChain(
  chain: readonly (readonly string[])[],
  scripts: Readonly<Record<string, string>>,
  depth: number,
): Found | undefined {
  const found = chain.map((words) => inCommand(words, scripts, depth));
  const all = found.filter((each) => each !== undefined);
  const sure = all.filter(({ runner }) => runner.isGuess !== true);
  // `node build.js && vitest`: what may be a runner gives way to what is one.
  const [only, ...others] = sure.length > 0 ? sure : all;
  if (only === undefined || others.length > 0) return undefined;
  return { ...only, takesWords: only.takesWords && found.at(-1) === only };
}

function inCommand(
  words: readonly string[],
  scripts: Readonly<Record<string, string>>,
  depth: number,
): Found | undefined {
  const program = programWords(words);
  const text = program.join(" ");
  const runner = runners.find(({ starts }) => starts.test(text));
  if (runner !== undefined) {
    return runner.own?.test(text) === true
      ? undefined
      : { runner, words: program, separator: [], takesWords: !program.includes("--") };
  }
  const call = scriptCall(program);
  const script =
    call !== undefined && Object.hasOwn(scripts, call.name) ? scripts[call.name] : undefined;
  const chain = script === undefined || depth === maxDepth ? undefined : chainedCommands(script);
  const inside = chain === undefined ? undefined : inChain(chain, scripts, depth + 1);
  return inside === undefined || call === undefined
    ? undefined
    : { ...inside, separator: [...call.separator, ...inside.separator] };
}
