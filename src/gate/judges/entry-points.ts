import { posix } from "node:path";

/** Files that are programs by their place or name: nothing imports them to test it. */
const programPath =
  /(?:^|\/)(?:bin|exe|cmd|scripts)\/|(?:^|\/)(?:(?:cli|main|__main__)\.\w+|(?:manage|setup)\.py)$/i;

/** Heads of blocks that run only where the file itself is started, or when a signal comes. */
const programBlocks: readonly { readonly head: RegExp; readonly open: "{" | "(" }[] = [
  { head: /\bfunc main\(\)|\bstatic void main\(|\bfun main\(|\bfn main\(\)/g, open: "{" },
  {
    head: /\bif\s*\((?:[^{}\n|!]*\b(?:require\.main|import\.meta\.(?:url|filename))\s*===?[^{}\n|!]*|[^{}\n|!]*===?\s*import\.meta\.(?:url|filename)\b[^{}\n|!]*|\s*import\.meta\.main\s*)\)\s*(?=\{)/g,
    open: "{",
  },
  { head: /\bprocess\.(?:on|once)(?=\(\s*["'`]SIG)/g, open: "(" },
];

const closing = { "{": "}", "(": ")" } as const;

/**
 * True for a file that a person starts: by its place or name, its first line, or because a
 * manifest above it names it as a program.
 * @param read current bytes of a path; undefined where there is no file.
 */
export async function isProgram(
  path: string,
  text: string,
  read: (path: string) => Promise<string | undefined>,
): Promise<boolean> {
  if (programPath.test(path) || text.startsWith("#!")) return true;
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    const manifest = await read(posix.join(folder, "package.json"));
    if (manifest !== undefined && binsOf(manifest).has(posix.relative(folder, path))) return true;
    if (folder === ".") return false;
  }
}

/** The text without what runs only when the file itself is started as a program. */
export function withoutProgram(path: string, text: string): string {
  if (path.endsWith(".py")) return withoutPythonProgram(text);
  return programBlocks.reduce((left, { head, open }) => withoutBlocks(left, head, open), text);
}

/** The text of every block behind a head, braces included. */
export function blocksOf(text: string, head: RegExp, open: "{" | "(" = "{"): readonly string[] {
  return [...text.matchAll(head)].map(({ index, 0: found }) =>
    text.slice(index, blockEnd(text, index + found.length, open)),
  );
}

function withoutBlocks(text: string, head: RegExp, open: "{" | "("): string {
  return blocksOf(text, head, open).reduce((left, block) => left.replace(block, ""), text);
}

/** Braces in strings count too: a block that is cut wrongly is refused rather than believed. */
function blockEnd(text: string, from: number, open: "{" | "("): number {
  let depth = 0;
  const start = text.indexOf(open, from);
  if (start === -1) return from;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === open) depth += 1;
    else if (text[at] === closing[open]) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return from;
}

/** Without the block of `__name__`, and without a `main()` that only that block calls. */
function withoutPythonProgram(text: string): string {
  const block = (head: string): RegExp =>
    new RegExp(`^${head}.*(?:\\n(?:[ \\t].*|[ \\t]*$))*`, "gm");
  const guard = block("if __name__ == [\"']__main__[\"']:");
  const left = text.replaceAll(guard, "");
  if (left === text) return text;
  const isCalled = /(?<!def )\bmain\b/.test(left);
  return isCalled ? left : left.replaceAll(block("def main\\("), "");
}

function binsOf(manifest: string): ReadonlySet<string> {
  try {
    const value: unknown = JSON.parse(manifest);
    const bin = typeof value === "object" && value !== null && "bin" in value ? value.bin : "";
    const names: readonly unknown[] =
      typeof bin === "object" && bin !== null ? Object.values(bin) : [bin];
    return new Set(
      names.filter((name) => typeof name === "string").map((name) => posix.normalize(name)),
    );
  } catch {
    return new Set();
  }
}
