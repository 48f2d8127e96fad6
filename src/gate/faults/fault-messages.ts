import type { Installation } from "./installation.ts";

/** What a broken environment prints, and what mends it. */
export interface FaultMessage {
  /** Real output, kept so that the row can be checked. */
  readonly evidence: string;
  /** Global; the named group `missing` is what is not there. */
  readonly pattern: RegExp;
  /** Exit codes it comes with; absent: any but 0. */
  readonly codes?: readonly number[];
  /** What is said before the thing that is missing. */
  readonly cause: string;
  mend(missing: string, installation: Installation): string;
  /** No change to the tree causes it: counts also where the baseline was sound. */
  readonly isMachine?: true;
  /** Further proof that the repository's own code is not what is missing. */
  counts?(missing: string, installation: Installation): boolean;
}

const cannotStart = "test command cannot be started";
const noDependency = "a dependency is not installed";
const checkCommand = (what: string): string => `Check the command: ${what} is not there`;
const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

/**
 * Rows are only read when no test passed. Messages that the code under test can cause as well
 * (a module it should have had) carry `counts`: the manifest must ask for the package, and it
 * must not be installed.
 */
export const faultMessages: readonly FaultMessage[] = [
  {
    evidence: "sh: 1: vitest: not found",
    pattern:
      /^(?:\/bin\/)?(?:ba|da|z|k)?sh: (?:line )?(?:\d+: )?(?<missing>[^\s:]+): (?:command )?not found$/gm,
    codes: [127],
    cause: cannotStart,
    mend: mendProgram,
  },
  {
    evidence: "make: vitest: No such file or directory\nmake: *** [Makefile:2: test] Error 127",
    pattern: /^make(?:\[\d+\])?: (?<missing>\S+): No such file or directory$/gm,
    cause: cannotStart,
    mend: mendProgram,
  },
  {
    evidence: "zsh: command not found: vitest",
    pattern: /\bcommand not found: (?<missing>\S+)$/gm,
    codes: [127],
    cause: cannotStart,
    mend: mendProgram,
  },
  {
    // Whatever a shell says, in whatever language: 127 is "not found" (POSIX, 2.8.2).
    evidence: "sh: 1: vitest: nicht gefunden",
    pattern: /^/g,
    codes: [127],
    cause: cannotStart,
    mend: (missing) => `Install what "${missing}" needs, or name another command with --test`,
  },
  {
    evidence: "sh: 1: ./run.sh: Permission denied",
    pattern: /(?<missing>[^\s:]+): Permission denied$/gm,
    codes: [126],
    cause: `${cannotStart} (not executable)`,
    mend: (missing) => `Make it executable: chmod +x ${missing}`,
  },
  {
    evidence: "sh: 1: ./run.sh: Keine Berechtigung",
    pattern: /^/g,
    codes: [126],
    cause: `${cannotStart} (not executable)`,
    mend: checkCommand,
  },
  {
    // dash; bash says it with 127.
    evidence: "sh: 0: cannot open nope.sh: No such file",
    pattern:
      /^(?:\S*\/)?(?:da)?sh: 0: (?:cannot open|Can't open) (?<missing>.+?)(?:: No such file)?$/gm,
    codes: [2, 127],
    cause: cannotStart,
    mend: checkCommand,
  },
  {
    evidence: "sh: 1: cd: can't cd to nowhere",
    pattern:
      /^\S*sh: (?:line )?(?:\d+: )?cd: (?:can't cd to (?<missing>.+)|.+: No such file or directory)$/gm,
    cause: `${cannotStart} (no such folder)`,
    mend: checkCommand,
  },
  {
    evidence: 'npm error Missing script: "nope"',
    pattern: /^npm (?:error|ERR!) Missing script: "(?<missing>[^"]+)"/gm,
    cause: `${cannotStart} (no such script)`,
    mend: checkCommand,
  },
  {
    evidence: " ERR_PNPM_NO_SCRIPT  Missing script: nope",
    pattern: /ERR_PNPM_NO_SCRIPT\S*\s+Missing script: (?<missing>\S+)/g,
    cause: `${cannotStart} (no such script)`,
    mend: checkCommand,
  },
  {
    evidence: 'error Command "nope" not found.',
    pattern:
      /^(?:error Command|Usage Error: Couldn't find a script named|error: Script not found) "(?<missing>[^"]+)"/gm,
    cause: `${cannotStart} (no such script)`,
    mend: checkCommand,
  },
  {
    evidence: "npm error enoent Could not read package.json: Error: ENOENT",
    pattern:
      /^npm (?:error|ERR!) (?:code ENOENT|enoent Could not read (?<missing>package\.json))/gm,
    cause: `${cannotStart} (no manifest here)`,
    mend: () => "Start kit in the folder of the package, or name the command with --test",
  },
  {
    evidence: "make: *** No rule to make target 'test'.  Stop.",
    pattern:
      /^make(?:\[\d+\])?: \*\*\* No rule to make target [`'](?<missing>[^']+)'\.? +Stop\.$/gm,
    codes: [2],
    cause: `${cannotStart} (no such target)`,
    mend: checkCommand,
  },
  {
    // The entry point itself: nothing required it.
    evidence:
      "Error: Cannot find module '/repo/missing-file.js'\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []",
    pattern: /^Error: Cannot find module '(?<missing>\/[^']+)'[\s\S]*?requireStack: \[\]/gm,
    cause: `${cannotStart} (no such file)`,
    mend: checkCommand,
  },
  {
    evidence: "python3: can't open file '/repo/nope.py': [Errno 2] No such file or directory",
    pattern: /^\S*python\S*: can't open file '(?<missing>[^']+)': \[Errno 2\]/gm,
    codes: [2],
    cause: `${cannotStart} (no such file)`,
    mend: checkCommand,
  },
  {
    evidence: "/usr/bin/python3: No module named pytest",
    pattern: /^\S*python\S*: No module named '?(?<missing>[^\s']+?)'?(?:;.*)?$/gm,
    codes: [1],
    cause: cannotStart,
    mend: (missing, { installPython, declaresPythonModule }) =>
      declaresPythonModule(missing)
        ? `Install the dependencies: ${installPython}`
        : `Install it: pip install ${missing}`,
  },
  {
    evidence: "ModuleNotFoundError: No module named 'requests'",
    pattern: /^(?:E +)?ModuleNotFoundError: No module named '(?<missing>[\w]+)(?:\.[\w.]+)?'$/gm,
    cause: noDependency,
    mend: (_, { installPython }) => `Install the dependencies: ${installPython}`,
    counts: (missing, { declaresPythonModule }) => declaresPythonModule(missing),
  },
  {
    evidence: "Error: Cannot find module 'express'\nRequire stack:\n- /repo/src/app.js",
    pattern: /(?:Cannot find module|Cannot find package) '(?<missing>[@\w][^'"]*)'/g,
    cause: noDependency,
    mend: (_, { installNode }) => `Install the dependencies: ${installNode}`,
    counts: (missing, { lacksNodePackage }) => lacksNodePackage(packageOf(missing)),
  },
  {
    evidence: 'Error: Failed to resolve import "lodash" from "src/a.ts". Does the file exist?',
    pattern: /Failed to (?:resolve import|load url) "?(?<missing>[@\w][^\s"]*)"? /g,
    cause: noDependency,
    mend: (_, { installNode }) => `Install the dependencies: ${installNode}`,
    counts: (missing, { lacksNodePackage }) => lacksNodePackage(packageOf(missing)),
  },
  {
    evidence: "src/a.go:3:8: no required module provides package github.com/x/y; to add it:",
    pattern:
      /no required module provides package (?<missing>\S+); to add it:|dial tcp: lookup (?:proxy\.golang\.org|sum\.golang\.org)/g,
    cause: noDependency,
    mend: () => "Install the dependencies: go mod download",
  },
  {
    evidence: "error: failed to download `serde v1.0.0`",
    pattern:
      /^error: (?:failed to download|no matching package named|failed to get) `(?<missing>[^`]+)`/gm,
    codes: [101],
    cause: noDependency,
    mend: () => "Install the dependencies: cargo fetch",
  },
  {
    evidence: "Error: ENOSPC: no space left on device, write",
    pattern: /no space left on device/gi,
    cause: "the disk is full",
    mend: () => "Make room on the disk",
    isMachine: true,
    counts: (_, { isDiskFull }) => isDiskFull,
  },
  {
    evidence: "error: linker `cc` not found",
    pattern: /^error: linker `(?<missing>[^`]+)` not found/gm,
    cause: "a tool is not installed",
    mend: (missing) => `Install ${missing}`,
  },
];

function mendProgram(missing: string, installation: Installation): string {
  const runner = missing.slice(missing.lastIndexOf("/") + 1);
  if (installation.lacksNodePackage(runner)) {
    return `Install the dependencies: ${installation.installNode}`;
  }
  return installation.declaresPythonModule(runner)
    ? `Install the dependencies: ${installation.installPython}`
    : `Install ${missing}, or name another command with --test`;
}
