/** What of a file that is not a test itself decides how tests run. */
export interface ManifestRule {
  readonly of: string;
  /** File names (last segment) the rule reads. */
  readonly files: RegExp;
  /**
   * Why `now` weakens the tests; undefined when it does not.
   * @param old undefined: the file is new. @param now undefined: it is deleted.
   */
  weakened(old: string | undefined, now: string | undefined): string | undefined;
}

/** Keys of package.json that runners read their configuration from. */
const runnerKeys = [
  "jest",
  "vitest",
  "mocha",
  "ava",
  "tap",
  "nyc",
  "c8",
  "jasmine",
  "wireit",
  "babel",
];

export const manifestRules: readonly ManifestRule[] = [
  {
    of: "package.json: the test script, what it calls, and runner keys",
    files: /^package\.json$/,
    weakened(old, now) {
      const before = packageJson(old);
      const after = packageJson(now);
      // A manifest that is no JSON on one side: the tests themselves will say so.
      if (before === undefined || after === undefined) return undefined;
      for (const name of new Set([...scriptsOfTest(before), ...scriptsOfTest(after)])) {
        const was = scriptsOf(before)[name];
        if (was === undefined && !isTestHook(name, before)) continue;
        if (was !== scriptsOf(after)[name]) return `changes the script "${name}" of package.json`;
      }
      const key = runnerKeys.find((each) => !isSame(before[each], after[each]));
      return key === undefined ? undefined : `changes "${key}" of package.json`;
    },
  },
  {
    of: "pyproject.toml, setup.cfg: sections of pytest, tox and coverage",
    files: /^(?:pyproject\.toml|setup\.cfg)$/,
    weakened: (old, now) =>
      runnerKeysIn(old) === runnerKeysIn(now)
        ? undefined
        : "changes the section that configures the test runner",
  },
  {
    of: "Cargo.toml: test targets and what is tested",
    files: /^Cargo\.toml$/,
    weakened(old, now) {
      const section = changedSection(old, now, /^\[\[\s*test\s*\]\]|^\[\s*profile\.test/);
      if (section !== undefined) return section;
      const keys = (text: string | undefined): string =>
        (text ?? "").match(/^\s*(?:autotests|doctest|harness|test)\s*=.*$/gm)?.join("\n") ?? "";
      return old !== undefined && now !== undefined && keys(old) !== keys(now)
        ? "changes which targets Cargo.toml tests"
        : undefined;
    },
  },
  {
    of: "make: the rule for `test`, what it depends on, and a makefile read before",
    files: /^(?:GNUmakefile|[Mm]akefile)$/,
    weakened(old, now) {
      const was = old === undefined ? "" : makeTest(old);
      const is = now === undefined ? "" : makeTest(now);
      return was === is ? undefined : "changes what `make test` does";
    },
  },
  {
    of: "vite.config: vitest reads its `test` block",
    files: /^vite\.config\.[cm]?[jt]s$/,
    weakened(old, now) {
      const configures = [old, now].some((text) => /\bvitest\b|\btest\s*:/.test(text ?? ""));
      return configures && old !== now
        ? "changes a vite configuration that configures vitest"
        : undefined;
    },
  },
  {
    of: "tsconfig: ts-node reads its own block",
    files: /^tsconfig(?:\.[\w-]+)*\.json$/,
    weakened(old, now) {
      const block = (text = ""): string => /"ts-node"\s*:\s*\{[^}]*\}/.exec(text)?.[0] ?? "";
      return block(old) === block(now) ? undefined : "changes how ts-node runs the tests";
    },
  },
  {
    of: "Rust: tests stand in the sources they test",
    files: /\.rs$/,
    weakened(old, now) {
      if (old === undefined) return undefined;
      const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
      const tests = /^\s*#\[(?:\w+::)*(?:test|rstest|test_case)\b/gm;
      const ignored = /^\s*#\[ignore\b/gm;
      if (count(now ?? "", tests) < count(old, tests)) return "takes tests out of a source file";
      return count(now ?? "", ignored) > count(old, ignored) ? "marks tests as ignored" : undefined;
    },
  },
];

type Json = Readonly<Record<string, unknown>>;

function packageJson(text: string | undefined): Json | undefined {
  try {
    const value: unknown = JSON.parse((text ?? "").replace(/^\uFEFF/, ""));
    return typeof value === "object" && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

function scriptsOf(manifest: Json): Readonly<Record<string, unknown>> {
  const scripts = manifest["scripts"];
  return typeof scripts === "object" && scripts !== null ? (scripts as Json) : {};
}

/**
 * The texts of `scripts.test` of a package.json, of the scripts among `names`, of their hooks
 * and of all scripts these name; none where it is not JSON.
 */
export function scriptTexts(manifest: string, names: readonly string[]): readonly string[] {
  const json = packageJson(manifest);
  if (json === undefined) return [];
  const scripts = scriptsOf(json);
  const wanted = names.filter((name) => Object.hasOwn(scripts, name));
  return scriptsOfTest(json, ["test", ...wanted])
    .map((name) => scripts[name])
    .filter((text) => typeof text === "string");
}

/** What of a package.json runners read as their configuration, as JSON. */
export function runnerSections(manifest: string): string {
  const json = packageJson(manifest) ?? {};
  return JSON.stringify(Object.fromEntries(runnerKeys.map((key) => [key, json[key]])));
}

/** `test` with its hooks, and every script that one of them names, with theirs. */
function scriptsOfTest(manifest: Json, from: readonly string[] = ["test"]): readonly string[] {
  const scripts = scriptsOf(manifest);
  const found = new Set<string>();
  const queue = [...from];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    for (const each of [name, `pre${name}`, `post${name}`]) {
      if (found.has(each)) continue;
      found.add(each);
      const text = scripts[each];
      if (typeof text !== "string") continue;
      const words = new Set(text.split(/[\s;&|"'`()]+/));
      queue.push(...Object.keys(scripts).filter((key) => words.has(key) && !found.has(key)));
    }
  }
  return [...found];
}

/** A hook that appears changes what a script does; a script nobody had named before does not. */
function isTestHook(name: string, before: Json): boolean {
  return scriptsOfTest(before).includes(name) && scriptsOf(before)["test"] !== undefined;
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Sections of an ini or TOML file whose heading matches, compared without blank lines. */
function changedSection(
  old: string | undefined,
  now: string | undefined,
  heading: RegExp,
): string | undefined {
  const [before, after] = [old ?? "", now ?? ""].map((text) => sections(text, heading));
  return before === after ? undefined : "changes the section that configures the test runner";
}

function sections(text: string, heading: RegExp): string {
  let inside = false;
  const kept: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim();
    if (/^\[+[^\]]+\]/.test(trimmed)) inside = heading.test(trimmed);
    if (inside && trimmed !== "" && !trimmed.startsWith("#")) kept.push(trimmed);
  }
  return kept.join("\n");
}

const tomlKey = /^(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*(?=\s*=)/;

/** Lines of a pyproject.toml or setup.cfg that say something under `tool.pytest` and the like, however their keys are written. */
function runnerKeysIn(text = ""): string {
  let table = "";
  let isKept = false;
  const kept: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    const heading = /^\[+([^\]]+)\]/.exec(trimmed)?.[1];
    const key = tomlKey.exec(trimmed)?.[0];
    if (heading !== undefined) {
      table = plainKey(heading);
      isKept = isRunnerKey(table);
    } else if (key !== undefined) {
      const full = table === "" ? plainKey(key) : `${table}.${plainKey(key)}`;
      const isInline = full === "tool" && /\b(?:pytest|tox|coverage)\b/.test(unescaped(trimmed));
      isKept = isRunnerKey(full) || isInline;
    }
    if (isKept) kept.push(trimmed);
  }
  return kept.join("\n");
}

function isRunnerKey(key: string): boolean {
  return /^(?:tool[.:])?(?:pytest|tox|coverage)\b/.test(key);
}

function plainKey(key: string): string {
  return unescaped(key).replaceAll(/["'\s]/g, "");
}

/** TOML lets a quoted key hide its letters. */
function unescaped(text: string): string {
  return text.replaceAll(/\\u([\da-fA-F]{4})|\\U([\da-fA-F]{8})/g, (_, short, long) =>
    String.fromCodePoint(Math.min(Number.parseInt(short ?? long, 16), 0x10_ff_ff)),
  );
}

/** The rule for `test` and the rules of its prerequisites, as text. */
function makeTest(text: string): string {
  return targetText(text, ["test"]);
}

/** The rules of a makefile for some targets and for their prerequisites, as text. */
export function targetText(text: string, targets: readonly string[]): string {
  const joined = text.replaceAll("\r\n", "\n").replace(/\\\n/g, " ");
  const kept: string[] = [];
  const seen = new Set<string>();
  const queue = [...targets];
  for (let target = queue.pop(); target !== undefined; target = queue.pop()) {
    if (seen.has(target)) continue;
    seen.add(target);
    for (const rule of rulesFor(joined, target)) {
      kept.push(rule);
      const [head = ""] = rule.split("\n");
      queue.push(
        ...head
          .slice(head.indexOf(":") + 1)
          .split(/\s+/)
          .filter(Boolean),
      );
    }
  }
  return kept.join("\n");
}

function rulesFor(text: string, target: string): readonly string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    const names = /^([^\s#:=][^#:=]*)::?(?!=)/.exec(line)?.[1]?.split(/\s+/) ?? [];
    if (!names.includes(target)) return [];
    const end = lines.findIndex((each, at) => at > index && !/^\t|^\s*$|^#/.test(each));
    return [
      lines
        .slice(index, end === -1 ? undefined : end)
        .join("\n")
        .trimEnd(),
    ];
  });
}
