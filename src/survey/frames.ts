/** A place in a file that a text names: `src/math.js:12`. */
export interface Mention {
  /** As written, `./` and `file://` cut. */
  readonly path: string;
  readonly line?: number;
}

/** Characters a path is taken to be made of, and that it starts behind something else. */
const start = `(?<![^\\s"'\`()[\\]<>,;:=])`;
const pathChars = `[^\\s"'\`()[\\]<>,;:=]{1,300}`;

/** How tools write `file:line`, each with output it was seen in. */
export const mentionForms: readonly { readonly seen: string; readonly pattern: RegExp }[] = [
  // Python tracebacks; pytest repeats them as `path:line: Error`.
  {
    seen: 'File "/repo/app/math.py", line 12, in add',
    pattern: /File "(?<path>[^"\n]{1,300})", line (?<line>\d+)/g,
  },
  // TypeScript, MSBuild.
  {
    seen: "src/a.ts(3,5): error TS2322",
    pattern: new RegExp(`${start}(?<path>${pathChars})\\((?<line>\\d+),\\d+\\)`, "g"),
  },
  // Node, Jest, Go, Rust (`--> src/lib.rs:9:5`), gcc, pytest, mocha.
  {
    seen: "at add (file:///repo/src/math.js:12:7)",
    pattern: new RegExp(`${start}(?<path>${pathChars}):(?<line>\\d+)`, "g"),
  },
  // A path alone: a name with an ending.
  {
    seen: "see src/math.js",
    pattern: new RegExp(`${start}(?<path>${pathChars})`, "g"),
  },
];

/** Most mentions that are read of one text. */
const maxMentions = 400;

/**
 * Files and lines that a text names, by form and in their order, each place once. A guess: what
 * is no file of the repository is sorted out by `MentionResolver`.
 */
export function mentionsIn(text: string): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const { pattern } of mentionForms) {
    for (const match of text.matchAll(pattern)) {
      const path = (match.groups?.["path"] ?? "")
        .replace(/^\/{2,}/, "/")
        .replace(/^(?:\.\/)+|\.+$/g, "");
      const line = match.groups?.["line"];
      const key = `${path}:${line ?? ""}`;
      if (found.has(key) || !/[^./]\.[A-Za-z]\w{0,9}$/.test(path.slice(-12))) continue;
      found.set(key, line === undefined ? { path } : { path, line: Number(line) });
      if (found.size >= maxMentions) return [...found.values()];
    }
  }
  return [...found.values()];
}

/** Finds the repository's file that a mention means. */
export class MentionResolver<Path extends string> {
  #byName: Map<string, Path[]> | undefined;
  readonly #files: readonly Path[];
  readonly #root: string;

  constructor(root: string, files: readonly Path[]) {
    this.#root = root;
    this.#files = files;
  }

  /**
   * The one file with this path, or whose path ends with it, or (a path from another machine or
   * a folder above) that ends it; undefined where none or several fit.
   */
  resolve(mention: string): Path | undefined {
    const path = mention.startsWith(`${this.#root}/`)
      ? mention.slice(this.#root.length + 1)
      : mention.replace(/^(?:\.\.\/)+|^\/+/, "");
    const same = this.#named(path.slice(path.lastIndexOf("/") + 1));
    const exact = same.find((file) => file === path);
    if (exact !== undefined) return exact;
    const longer = same.filter((file) => file.endsWith(`/${path}`));
    if (longer.length > 0) return longer.length === 1 ? longer[0] : undefined;
    const shorter = same.filter((file) => file.includes("/") && path.endsWith(`/${file}`));
    return shorter.length === 1 ? shorter[0] : undefined;
  }

  /** Made when the first mention is met: most tasks name no file. */
  #named(name: string): readonly Path[] {
    this.#byName ??= Map.groupBy(this.#files, (file) => file.slice(file.lastIndexOf("/") + 1));
    return this.#byName.get(name) ?? [];
  }
}
