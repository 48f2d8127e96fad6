/** What a verb needs so that it runs no program of the repository. */
interface Verb {
  /** Put behind the verb. */
  readonly flags?: readonly string[];
  /**
   * True where it may read the working tree through clean filters: they are switched off. Writing
   * an index does, for files that were changed in the second it was written in.
   */
  readonly filters?: (args: readonly string[]) => boolean;
  /** False for what it must not be asked to do. */
  readonly allows?: (args: readonly string[]) => boolean;
  /** True where it reads ignore rules: a pipe in the place of a file of them would hold it up. */
  readonly excludes?: (args: readonly string[]) => boolean;
}

const diffFlags = ["--no-ext-diff", "--no-textconv"];
const treeFlags = ["--ignore-submodules=all"];

/**
 * The verbs kit may use. Those that write do so in git's own folder alone: none fills a working
 * tree, which would run smudge filters.
 */
export const verbs: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  ["cat-file", {}],
  ["check-attr", {}],
  ["check-ignore", { excludes: () => true }],
  ["check-ref-format", {}],
  ["commit-tree", {}],
  ["diff", { flags: [...diffFlags, ...treeFlags], filters: () => true }],
  ["diff-files", { flags: [...diffFlags, ...treeFlags], filters: () => true }],
  ["diff-index", { flags: [...diffFlags, ...treeFlags], filters: () => true }],
  ["hash-object", { filters: (args) => !args.includes("--no-filters") }],
  ["log", { flags: [...diffFlags, "--no-show-signature"] }],
  [
    "ls-files",
    {
      filters: (args) => args.some((arg) => /^(?:--modified$|-[a-z]*m)/.test(arg)),
      excludes: (args) => args.includes("--exclude-standard"),
    },
  ],
  ["ls-tree", {}],
  [
    "read-tree",
    { filters: () => true, allows: (args) => !args.some((arg) => /^-(?:u|m)|^--reset/.test(arg)) },
  ],
  ["rev-list", {}],
  ["rev-parse", {}],
  ["show", { flags: [...diffFlags, "--no-show-signature"] }],
  ["status", { flags: treeFlags, filters: () => true, excludes: () => true }],
  ["update-index", { filters: () => true, allows: (args) => args.includes("--index-info") }],
  ["update-ref", {}],
  ["var", {}],
  ["worktree", { allows: (args) => args[1] !== "add" || args.includes("--no-checkout") }],
  ["write-tree", { filters: () => true }],
]);

/** Options that would undo the above. */
const refusedOptions = new Set(["--ext-diff", "--textconv", "--filters", "--show-signature"]);

/** Whether the options of a known verb leave it harmless. */
export function isHarmless(args: readonly string[]): boolean {
  return !args.some((arg) => refusedOptions.has(arg));
}

/** Every setting that names a program or changes what is printed, whatever the repository says. */
export const gitSettings: readonly string[] = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.pager=cat",
  "core.askPass=",
  "core.sshCommand=false",
  "core.gitProxy=",
  "core.quotePath=true",
  "credential.helper=",
  "gpg.program=false",
  "gpg.openpgp.program=false",
  "gpg.ssh.program=false",
  "gpg.x509.program=false",
  "log.showSignature=false",
  // A partial clone would fetch what is missing, through a program that its settings name.
  "protocol.allow=never",
  "color.ui=false",
  "column.ui=never",
  "diff.noprefix=false",
  "diff.mnemonicPrefix=false",
  "diff.submodule=short",
  "diff.orderFile=/dev/null",
  "submodule.recurse=false",
  "status.submoduleSummary=false",
  "status.showUntrackedFiles=normal",
  "status.relativePaths=true",
];
