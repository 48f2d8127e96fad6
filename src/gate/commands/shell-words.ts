/** One simple command of a shell line. */
export interface ShellCommand {
  /** The program and its arguments, without their quotes. */
  readonly words: readonly string[];
}

/** Text of nested quotes is read so often; nobody writes more. */
const maxDepth = 3;

/**
 * The simple commands of a shell line, in order; those of a quoted text (`sh -c '…'`) follow
 * the command it stands in. Nothing is expanded: a guess that names files, no shell.
 */
export function shellCommands(text: string, depth = 0): readonly ShellCommand[] {
  const found: ShellCommand[] = [];
  let words: string[] = [];
  let quoted: string[] = [];
  const close = (): void => {
    if (words.length > 0) found.push({ words });
    for (const each of quoted) found.push(...shellCommands(each, depth + 1));
    words = [];
    quoted = [];
  };
  for (const match of text.matchAll(/(?:"[^"]*"|'[^']*'|\\.|[^\s;&|()`<>"'\\])+|[;&|()`\n]/gs)) {
    const [token] = match;
    if (/^[;&|()`\n]$/.test(token)) {
      close();
      continue;
    }
    const word = token.replaceAll(/"([^"]*)"|'([^']*)'|\\(.)/gs, "$1$2$3");
    words.push(word);
    if (/["']/.test(token) && /\s/.test(word) && depth < maxDepth) quoted.push(word);
  }
  close();
  return found;
}
