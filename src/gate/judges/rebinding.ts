import { blocksOf } from "./entry-points.ts";
import { isTestFile } from "./test-files.ts";

const js = /\.[cm]?[jt]sx?$/;

/** Where assertions of JavaScript come from. */
const assertionModule = `["'](?:node:)?(?:assert(?:/strict)?|chai|should|expect|vitest|@jest/globals|@vitest/expect|node:test|test)["']`;

/** Those of them that no program loads for anything else. */
const judgingModule = `["'\`](?:node:)?(?:assert(?:/strict)?|chai|vitest|@jest/globals|@vitest/expect|node:test)["'\`]`;

/** A call that gives a module of a name: Node has four of its own, `createRequire` makes others. */
function loaderOf(text: string): string {
  const made = [...text.matchAll(/\b(\w+)\s*=\s*(?:\w+\.)*createRequire\(/g)].map(
    ([, name = ""]) => name,
  );
  const named = ["require", "import", "_load", "getBuiltinModule", ...made].join("|");
  return `(?:\\b(?:${named})|\\bcreateRequire\\([^()]*\\))(?:\\?\\.)?\\(\\s*`;
}

/** Matchers that jest and vitest bring; one that a project adds has another name. */
const builtInMatcher =
  /(?<![.\w])["'`]?\bto(?:Be(?:CloseTo|Defined|Falsy|GreaterThan(?:OrEqual)?|InstanceOf|LessThan(?:OrEqual)?|NaN|Null|Truthy|TypeOf|Undefined)?|Contain(?:Equal)?|Equal|StrictEqual|HaveBeen\w*|HaveLength|HaveProperty|Match(?:Object|Snapshot|InlineSnapshot)?|Throw\w*|Satisfy)\b["'`]?\]?\s*[:(,}=]/;

/** Attributes of TestCase that say how much is printed. */
const printing = /\.(?:maxDiff|longMessage|_diffThreshold)$/;

/**
 * How often a text replaces what tests judge with, under whatever name it holds it: a matcher of
 * `expect`, a function of `assert`, a method of `unittest` or pytest.
 */
export function countReplacedAssertions(path: string, text: string): number {
  if (js.test(path)) return inJavaScript(text, isTestFile(path));
  return path.endsWith(".py") ? inPython(text) : 0;
}

function inJavaScript(text: string, isTest: boolean): number {
  const loader = loaderOf(text);
  const names = aliases(
    text,
    ["assert", "expect", "chai", "should"],
    [
      new RegExp(`\\bimport\\s+(?:type\\s+)?([^;"']+?)\\s+from\\s*${assertionModule}`, "g"),
      new RegExp(
        `(?:\\b(?:const|let|var)\\s|[;(,{}]|^)[ \\t]*(\\w+|\\{[^{};=]*\\})(?:[ \\t]*:[ \\t]*[\\w.<>[\\]]+)?\\s*=\\s*\\(*(?:await\\s+)?(?:\\w+\\.)*${loader}${assertionModule}`,
        "gm",
      ),
    ],
    (known) =>
      new RegExp(
        `\\b(?:const|let|var)\\s+(\\w+)\\s*=\\s*(?:${known})(?:\\.\\w+)*\\s*(?:;|$)`,
        "gm",
      ),
  );
  const assigned = new RegExp(
    `(?<![.\\w])(?:${names})(?:\\.\\w+|\\[[^\\]\\n]+\\])+\\s*=(?![=>])`,
    "g",
  );
  const defined = new RegExp(
    `\\b(?:Object\\.(?:assign|definePropert(?:y|ies)|setPrototypeOf)|Reflect\\.\\w+)\\(\\s*(?:${names})\\b`,
    "g",
  );
  const extended = blocksOf(text, new RegExp(`(?<![.\\w])(?:${names})\\.extend(?=\\()`, "g"), "(");
  const replaced = extended.filter((call) =>
    builtInMatcher.test(/extend\(\s*\{/.test(call) ? call : text),
  );
  // `require("assert").equal = f`, and doubles of test runners: `mock.method(assert, "equal", f)`.
  const direct = new RegExp(
    `${loader}${judgingModule}\\s*\\)+(?:\\.\\w+|\\[[^\\]\\n]+\\])+\\s*=(?![=>])|\\bObject\\.(?:assign|definePropert(?:y|ies)|setPrototypeOf)\\(\\s*\\(?(?:await\\s+)?(?:\\w+\\.)*${loader}${judgingModule}`,
    "g",
  );
  const doubled = new RegExp(
    `\\b(?:mock\\.(?:method|getter|setter|property)|spyOn|replaceProperty|(?:sinon|sandbox)\\.(?:stub|replace\\w*|define))\\(\\s*(?:${names})\\s*[,.]|\\b(?:jest|vi|vitest|mock)\\.(?:do)?(?:mock|unstable_mockModule|module|setMock)\\(\\s*${judgingModule}`,
    "gi",
  );
  const overwritten = text.match(/\.overwrite(?:Method|Property|ChainableMethod)\(/g) ?? [];
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const rewritten = [assigned, defined, direct, doubled].reduce(
    (sum, pattern) => sum + count(pattern),
    0,
  );
  return (
    rewritten +
    replaced.length +
    overwritten.length +
    (isTest ? 0 : countRewiredModules(text, loader))
  );
}

/**
 * How often a text makes what it did to a built-in module, or to loading, everybody's, where that
 * may be a module that judges: it names one, or loads one by a name that cannot be read. Tests
 * name one anyhow, and share a double of `node:fs` so.
 */
function countRewiredModules(text: string, loader: string): number {
  const shared = text.match(/\bsyncBuiltinESMExports\b/g) ?? [];
  const hooked =
    text.match(/\bregisterHooks\s*\(|\.\s*_(?:load|resolveFilename|compile)\s*=(?![=>])/g) ?? [];
  const isNamed = new RegExp(judgingModule).test(text);
  const isHidden = new RegExp(`${loader}(?!["'\`][\\w:/.@-]*["'\`]\\s*[,)])`).test(text);
  return (isNamed || isHidden ? shared.length : 0) + (isNamed ? hooked.length : 0);
}

function inPython(text: string): number {
  const names = aliases(
    text,
    ["unittest", "pytest", "_pytest", "TestCase"],
    [
      /^\s*from\s+(?:unittest|_?pytest)(?:\.\w+)*\s+import\s+\(?([\w\s,]+?)\)?\s*(?:#.*)?$/gm,
      /^\s*import\s+(?:unittest|_?pytest)(?:\.\w+)*\s+as\s+(\w+)/gm,
    ],
    (known) => new RegExp(`^\\s*(\\w+)\\s*=\\s*(?:${known})(?:\\.\\w+)*\\s*$`, "gm"),
  );
  const assigned = new RegExp(`(?<![.\\w])((?:${names})(?:\\.\\w+)+)\\s*=(?!=)`, "g");
  const set = new RegExp(`\\bsetattr\\(\\s*(?:${names})\\b`, "g");
  const found = [...text.matchAll(assigned)].filter(([, target = ""]) => !printing.test(target));
  return found.length + (text.match(set)?.length ?? 0);
}

/** The names under which a text holds some things, as alternatives of a pattern. */
function aliases(
  text: string,
  own: readonly string[],
  imports: readonly RegExp[],
  copied: (known: string) => RegExp,
): string {
  const names = new Set(own);
  for (const pattern of imports) {
    for (const [, clause = ""] of text.matchAll(pattern)) {
      // `{ expect as e, test }`, `* as a`, `{ expect: e }`: the last word of each is the name.
      for (const part of clause.replaceAll(/[{}()]/g, ",").split(",")) {
        const name = /(\w+)\s*$/.exec(part)?.[1];
        if (name !== undefined) names.add(name);
      }
    }
  }
  for (let size = 0; size < names.size;) {
    size = names.size;
    for (const [, name = ""] of text.matchAll(copied([...names].join("|")))) names.add(name);
  }
  return [...names].join("|");
}

/** Modules whose settings tests turn, and nothing of the repository. */
const settings = /^(?:sys|os|warnings|logging|locale|decimal|random|matplotlib|hypothesis)$/;

/**
 * How often a new test file rebinds, while it is loaded, what it imported: all other tests of the
 * process meet that then. What a test does inside a function is its own.
 */
export function countReboundImports(path: string, text: string): number {
  if (path.endsWith(".py")) return reboundInPython(text);
  if (!js.test(path)) return 0;
  const names = [
    ...text.matchAll(/^import\s+(?:\*\s+as\s+)?([^;"']+?)\s+from\s*["']\.{1,2}\//gm),
    ...text.matchAll(/^(?:const|let|var)\s+([^;=]+?)\s*=\s*require\(\s*["']\.{1,2}\//gm),
  ].flatMap(([, clause = ""]) => clause.match(/\w+/g) ?? []);
  if (names.length === 0) return 0;
  const target = new RegExp(
    `^(?:${names.join("|")})(?:\\.\\w+|\\[[^\\]\\n]+\\])+\\s*=(?![=>])`,
    "gm",
  );
  return text.match(target)?.length ?? 0;
}

function reboundInPython(text: string): number {
  const modules = new Set<string>();
  const members = new Set<string>();
  const lines = linesWhileLoading(text);
  let count = 0;
  for (const line of lines) {
    const imported = /^import\s+(.+)$/.exec(line)?.[1];
    for (const part of imported?.split(",") ?? []) {
      const name = /(?:\bas\s+)?(\w+)\s*$/.exec(part.replace(/^\s*(\w+)\.[\w.]+\s*$/, "$1"))?.[1];
      if (name !== undefined && !settings.test(name)) modules.add(name);
    }
    const from = /^from\s+\S+\s+import\s+\(?(.+?)\)?$/.exec(line)?.[1];
    for (const part of from?.split(",") ?? []) {
      const name = /(\w+)\s*$/.exec(part)?.[1];
      if (name !== undefined) members.add(name);
    }
    const [, root = "", attributes = "", value = ""] =
      /^(\w+)((?:\.\w+)+)\s*=(?!=)\s*(.*)$/.exec(line) ?? [];
    const isSetting = /^(?:True|False|None|[\d.]+|["'][^"']*["'])$/.test(value);
    // `app.testing = True` turns a setting of an object; `calc.RATE = 2` is another module.
    const isOwn = modules.has(root) && attributes.lastIndexOf(".") === 0;
    if (isOwn || ((modules.has(root) || members.has(root)) && !isSetting)) count += 1;
    const set = /^(?:setattr|vars)\(\s*(\w+)/.exec(line)?.[1] ?? "";
    if (modules.has(set) || members.has(set)) count += 1;
    if (/\bpatch(?:\.\w+)?\(.*\)\.start\(\)|^(?:\w+\.)*modules\[.*\]\s*=(?!=)/.test(line))
      count += 1;
  }
  return count;
}

/** Lines of a Python text that run while it is loaded, without their indentation. */
function linesWhileLoading(text: string): readonly string[] {
  const found: string[] = [];
  let functionIndent: number | undefined;
  const joined = text.replaceAll(
    /^(\s*from\s+\S+\s+import\s*)\(([^)]*)\)/gm,
    (_, head, names) => `${head}${String(names).replaceAll(/#.*$|\s+/gm, " ")}`,
  );
  for (const line of joined.split(/\r?\n/)) {
    const code = line.trim().replace(/\s+#[^"']*$/, "");
    if (code === "" || code.startsWith("#")) continue;
    const indent = line.length - line.trimStart().length;
    if (functionIndent !== undefined && indent > functionIndent) continue;
    functionIndent = /^(?:async\s+)?def\b/.test(code) ? indent : undefined;
    found.push(...code.split(/;\s*/));
  }
  return found;
}
