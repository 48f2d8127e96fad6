/**
 * The simple commands of a shell line that are joined by `&&` alone, as words without quotes.
 * Undefined where the line does more (pipes, redirections, `;`, `||`, substitutions, comments):
 * appending to it, or asking one of its programs, could mean something else then.
 */
export function chainedCommands(line: string): readonly (readonly string[])[] | undefined {
  const commands: string[][] = [[]];
  const token =
    /\s+|&&|((?:[^\s"'\\`$;|&<>()#{}!*?[\]~]|\\.|"(?:[^"\\`$]|\\.)*"|'[^']*'|(?!^)[#~!]|[{}*?[\]]|\$(?![('"{])|\$\{\w+\})+)/gsy;
  const text = line.trim();
  let at = 0;
  for (const match of text.matchAll(token)) {
    if (match.index !== at) return undefined;
    at += match[0].length;
    const word = match[1];
    if (match[0] === "&&") commands.push([]);
    else if (word !== undefined) {
      if (/^[#!{}]/.test(word)) return undefined;
      commands.at(-1)?.push(word.replaceAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs, unquoted));
    } else if (match[0].includes("\n")) return undefined;
  }
  return at === text.length && commands.every((words) => words.length > 0) ? commands : undefined;
}

function unquoted(_: string, double?: string, single?: string, escaped?: string): string {
  return double?.replaceAll(/\\(["\\$`])/g, "$1") ?? single ?? escaped ?? "";
}

/** Words for a POSIX shell, quoted where they need it. */
export function shellText(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(" ");
}

/** Programs that run the one named after them, with the words that belong to them. */
const wrappers: readonly RegExp[] = [
  /^(?:npx|bunx|pnpx)(?: (?:-y|--yes|--no-install|--no|--bun))* /,
  /^(?:pnpm|yarn|npm|bun) (?:exec|dlx|x)(?: --)? /,
  /^(?:env|cross-env|dotenv|time|nice|c8|nyc)(?: --)? /,
  /^(?:uv|poetry|pipenv|hatch|pdm|rye) run(?: --)? /,
  /^coverage run(?: --?[\w-]+(?:=\S+)?)* (?=-m )/,
];

/**
 * A simple command without what only starts it: assignments, `npx`, `cross-env`, `uv run`, `c8`.
 * The program loses its folder and what it ends in on Windows.
 */
export function programWords(words: readonly string[]): readonly string[] {
  let left = words;
  for (let before = -1; before !== left.length;) {
    before = left.length;
    const first = left.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
    left = left.slice(first === -1 ? left.length : first);
    const text = `${left.join(" ")} `;
    const wrapper = wrappers.map((pattern) => pattern.exec(text)?.[0]).find(Boolean);
    if (wrapper !== undefined) left = left.slice(wrapper.trim().split(" ").length);
  }
  const [program = "", ...rest] = left;
  return [program.replace(/^.*[/\\]/, "").replace(/\.(?:cmd|exe|mjs|cjs)$/, ""), ...rest];
}

/** What a package manager was asked to run: a script, with words for it. */
export interface ScriptCall {
  readonly name: string;
  /** Words to put between the call and what is appended, so that the script gets it. */
  readonly separator: readonly string[];
}

/** `npm test`, `pnpm run unit`, `yarn test`: the script of package.json that they start. */
export function scriptCall(words: readonly string[]): ScriptCall | undefined {
  const [manager = "", ...rest] = words;
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(manager)) return undefined;
  const plain = rest.filter((word) => !/^(?:-s|--silent|--if-present)$/.test(word));
  const [verb = "", ...after] = plain;
  const isRun = /^(?:run|run-script)$/.test(verb);
  const name = isRun ? after[0] : verb === "t" || verb === "tst" ? "test" : verb;
  const given = isRun ? after.slice(1) : after;
  if (name === undefined || name === "" || name.startsWith("-")) return undefined;
  if (!isRun && (manager === "npm" ? name !== "test" : manager === "bun")) return undefined;
  // npm takes options for its own, until `--`.
  const needsSeparator = manager === "npm" && !given.includes("--");
  return { name, separator: needsSeparator ? ["--"] : [] };
}
