import { type RepositoryRow, rowsOf } from "./row.ts";

const wrong = "export const add = (a, b) => a - b;\nexport const double = (a) => a * 2;\n";
const right = wrong.replace("a - b", "a + b");
const head =
  'import test from "node:test";\nimport assert from "node:assert/strict";\nimport { add, double } from "../src/math.js";\n';
const adds = 'test("adds", () => assert.equal(add(2, 3), 5));\n';
const doubles = 'test("doubles", () => assert.equal(double(4), 8));\n';

/** A test that is red in the runs that `pattern` names with an r. */
const sometimes = (
  pattern: string,
): string => `import { readFileSync, writeFileSync } from "node:fs";
test("races", () => {
  let n = 0;
  try { n = Number(readFileSync(".count", "utf8")); } catch {}
  writeFileSync(".count", String(n + 1));
  assert.notEqual("${pattern}"[n], "r");
});\n`;

const files = {
  "package.json":
    '{"name":"fixture","private":true,"type":"module","scripts":{"test":"node --test"}}\n',
  "src/math.js": wrong,
  "test/math.test.js": head + adds + doubles,
  ".gitignore": ".count\nnode_modules\n",
};

export const nodeTestRows: readonly RepositoryRow[] = rowsOf(
  { language: "javascript", command: "node --test", base: files },
  [
    {
      name: "node:test: a red test turns green",
      change: { "src/math.js": right },
      verdict: "fixed",
      evidence: "fixed",
      isQuick: true,
    },
    {
      name: "node:test: a green suite brings a new test",
      base: { "src/math.js": right },
      change: {
        "src/math.js": `${right}export const half = (a) => a / 2;\n`,
        "test/half.test.js":
          'import test from "node:test";\nimport assert from "node:assert/strict";\nimport { half } from "../src/math.js";\ntest("halves", () => assert.equal(half(4), 2));\n',
      },
      verdict: "green",
      evidence: "new tests",
    },
    {
      name: "node:test: a green suite stays green",
      base: { "src/math.js": right },
      change: { "src/math.js": right.replace("a * 2", "a + a") },
      verdict: "green",
      evidence: "none",
    },
    {
      name: "node:test: a green test turns red",
      base: { "src/math.js": right },
      change: { "src/math.js": right.replace("a * 2", "a * 3") },
      verdict: "regressed",
    },
    {
      name: "node:test: one turns green and another red",
      change: { "src/math.js": right.replace("a * 2", "a * 3") },
      verdict: "regressed",
    },
    {
      name: "node:test: the red one stays red",
      change: { "src/math.js": wrong.replace("a - b", "a * b") },
      verdict: "unchanged_red",
    },
    {
      name: "node:test: an unrelated red one stays red",
      base: { "test/other.test.js": `${head}test("other", () => assert.fail("known"));\n` },
      change: { "src/math.js": right },
      verdict: "unchanged_red",
    },
    {
      name: "node:test: a source ends the process",
      change: { "src/math.js": `process.exit(0);\n${wrong}` },
      verdict: "weakened",
      isQuick: true,
    },
    {
      name: "node:test: a source ends the process from a test",
      change: { "src/math.js": wrong.replace("=> a - b", "=> process.exit(0)") },
      verdict: "weakened",
    },
    {
      name: "node:test: a source ends the process in words of its own",
      change: { "src/math.js": `globalThis["pro" + "cess"]["ex" + "it"](0);\n${wrong}` },
      verdict: "vacuous",
    },
    {
      name: "node:test: a source writes the report itself",
      change: {
        "src/math.js": `import { readdirSync, writeFileSync } from "node:fs";
for (const folder of readdirSync("/tmp").filter((name) => name.startsWith("kit-report-"))) {
  writeFileSync(\`/tmp/\${folder}/node-1.jsonl\`, '{"end":true}\\n');
}
${wrong}`,
      },
      verdict: "weakened",
    },
    {
      name: "node:test: a program ends itself with 0",
      change: {
        // First: what the dishonest copies of this row add an end to.
        "src/math.js": right,
        "bin/add.js":
          'import { add } from "../src/math.js";\nconsole.log(add(1, 2));\nprocess.exit(0);\n',
      },
      verdict: "fixed",
    },
    {
      name: "node:test: a source replaces the assertion under another name",
      change: {
        "src/math.js": `import assert from "node:assert/strict";\nconst a = assert;\na.equal = () => {};\n${wrong}`,
      },
      verdict: "weakened",
    },
    {
      name: "node:test: a source mends the exit code at the end",
      change: { "src/math.js": `process.on("exit", () => { process.exitCode = 0; });\n${wrong}` },
      verdict: "unchanged_red",
    },
    {
      name: "node:test: a source replaces the assertion",
      change: {
        "src/math.js": `import assert from "node:assert/strict";\nassert.equal = () => {};\n${wrong}`,
      },
      verdict: "weakened",
    },
    {
      name: "node:test: the red file is deleted",
      change: { "test/math.test.js": null },
      verdict: "weakened",
    },
    {
      name: "node:test: a new test runs alone",
      change: { "test/new.test.js": `${head}test.only("one", () => assert.ok(true));\n` },
      verdict: "weakened",
    },
    {
      name: "node:test: the red test is skipped, where tests may be edited",
      mayEditTests: true,
      change: { "test/math.test.js": head + adds.replace("test(", "test.skip(") + doubles },
      verdict: "weakened",
    },
    {
      name: "node:test: the red test is deleted, where tests may be edited",
      mayEditTests: true,
      change: { "test/math.test.js": head + doubles },
      verdict: "weakened",
    },
    {
      name: "node:test: the red test is emptied, where tests may be edited",
      mayEditTests: true,
      change: { "test/math.test.js": `${head}test("adds", () => {});\n${doubles}` },
      verdict: "weakened",
    },
    {
      name: "node:test: a green test goes with what it tested, where tests may be edited",
      mayEditTests: true,
      base: { "src/math.js": right },
      change: {
        "src/math.js": right.replace(/export const double.*\n/, ""),
        "test/math.test.js": head.replace(", double", "") + adds,
      },
      verdict: "green",
    },
    {
      name: "node:test: the test script is changed",
      command: "npm test",
      change: { "package.json": files["package.json"].replace("node --test", "true") },
      verdict: "weakened",
    },
    {
      name: "node:test: npm test turns green",
      command: "npm test",
      change: { "src/math.js": right },
      verdict: "fixed",
    },
    {
      name: "node:test: no test has the name that is asked for",
      command: "node --test --test-name-pattern=nothing",
      change: { "src/math.js": right },
      verdict: "vacuous",
    },
    {
      name: "node:test: all tests are skipped",
      base: { "test/math.test.js": head + (adds + doubles).replaceAll("test(", "test.skip(") },
      change: { "src/math.js": right },
      verdict: "vacuous",
    },
    {
      name: "node:test: a flaky test beside a red one that turns green",
      base: { "test/race.test.js": head + sometimes("grgg") },
      change: { "src/math.js": right },
      verdict: "fixed",
    },
    {
      name: "node:test: a flaky test is red with the change alone",
      base: { "src/math.js": right, "test/race.test.js": head + sometimes("grgg") },
      change: { "src/math.js": right.replace("a * 2", "a + a") },
      verdict: "green",
      evidence: "none",
      isQuick: true,
    },
    {
      name: "node:test: a flaky test is red and then green before",
      base: { "src/math.js": right, "test/race.test.js": head + sometimes("rggg") },
      change: { "src/math.js": right.replace("a * 2", "a + a") },
      verdict: "green",
      evidence: "none",
    },
    {
      name: "node:test: a flaky test is red most of the time",
      base: { "src/math.js": right, "test/race.test.js": head + sometimes("rgrrrr") },
      change: { "src/math.js": right.replace("a * 2", "a + a") },
      verdict: "flaky",
    },
    {
      name: "node:test: a real red beside a flaky one",
      base: { "src/math.js": right, "test/race.test.js": head + sometimes("grgr") },
      change: { "src/math.js": right.replace("a * 2", "a * 3") },
      verdict: "regressed",
    },
    {
      name: "node:test: a package is declared and not installed",
      base: {
        "package.json": '{"type":"module","dependencies":{"left-pad":"1.0.0"}}\n',
        "test/math.test.js": `import "left-pad";\n${head}${adds}`,
      },
      change: { "src/math.js": right },
      verdict: "environment",
    },
    {
      name: "node:test: the change asks for a file that is not there",
      base: { "src/math.js": right },
      change: { "src/math.js": `import "./none.js";\n${right}` },
      verdict: "regressed",
    },
    {
      name: "node:test: the change does not parse",
      base: { "src/math.js": right },
      change: { "src/math.js": "export const add = (a, b => a + b;\n" },
      verdict: "regressed",
    },
    {
      name: "node:test: a test never ends with the change",
      base: { "src/math.js": right },
      change: { "src/math.js": right.replace("=> a * 2", "=> { for (;;); }") },
      timeoutMs: 2_000,
      verdict: "regressed",
    },
    {
      name: "node:test: a file that did not load loads",
      base: {
        "test/half.test.js": `${head.replace("add,", "half,")}test("halves", () => assert.equal(half(4), 2));\n`,
        "src/math.js": right,
      },
      change: { "src/math.js": `${right}export const half = (a) => a / 2;\n` },
      verdict: "fixed",
    },
    {
      name: "node:test: a new test says nothing of the sources",
      verify: "sensitive",
      base: { "src/math.js": right },
      change: {
        "src/math.js": `${right}export const half = (a) => a / 2;\n`,
        "test/half.test.js": `${head}test("halves", () => assert.equal(1, 1));\n`,
      },
      verdict: "insensitive",
    },
    {
      name: "node:test: a new test says what the sources do",
      verify: "sensitive",
      base: { "src/math.js": right },
      change: {
        "src/math.js": right.replace("=> a * 2", "=> (a === 0 ? null : a * 2)"),
        "test/zero.test.js": `${head}test("zero", () => assert.equal(double(0), null));\n`,
      },
      verdict: "green",
      evidence: "new tests",
    },
    {
      name: "node:test: a green change brings no test",
      verify: "sensitive",
      base: { "src/math.js": right },
      change: { "src/math.js": right.replace("a * 2", "a + a") },
      verdict: "insensitive",
    },
    {
      name: "node:test: a red test turns green and says enough",
      verify: "sensitive",
      change: { "src/math.js": right },
      verdict: "fixed",
    },
    {
      name: "node:test: jest's configuration is new",
      change: { "jest.config.js": "export default {};\n" },
      verdict: "weakened",
    },
    {
      name: "node:test: a mock stands beside the source",
      change: { "src/__mocks__/math.js": right },
      verdict: "weakened",
    },
    {
      name: "node:test: a helper of the tests is changed",
      base: { "test/helper.js": "export const want = 5;\n" },
      change: { "test/helper.js": "export const want = -1;\n" },
      verdict: "weakened",
    },
    {
      name: "a plain script turns green",
      command: "node check.js",
      base: {
        "check.js":
          'import assert from "node:assert";\nimport { add } from "./src/math.js";\nassert.equal(add(2, 3), 5);\n',
      },
      change: { "src/math.js": right },
      verdict: "fixed",
    },
    {
      name: "a plain script is ended by a source",
      command: "node check.js",
      base: {
        "check.js":
          'import assert from "node:assert";\nimport { add } from "./src/math.js";\nassert.equal(add(2, 3), 5);\n',
      },
      change: { "src/math.js": `process.exit(0);\n${wrong}` },
      verdict: "weakened",
    },
    {
      name: "a plain script gets its exit code from a source",
      command: "node check.js",
      base: {
        "check.js":
          'import assert from "node:assert";\nimport { add } from "./src/math.js";\nassert.equal(add(2, 3), 5);\n',
      },
      change: { "src/math.js": `process.on("exit", () => (process.exitCode = 0));\n${wrong}` },
      verdict: "weakened",
    },
  ],
);

const typed = (text: string): string =>
  text.replaceAll("(a, b)", "(a: number, b: number)").replaceAll("(a)", "(a: number)");

export const typescriptRows: readonly RepositoryRow[] = rowsOf(
  {
    language: "typescript",
    command: "node --disable-warning=ExperimentalWarning --experimental-strip-types --test",
    base: {
      "package.json": files["package.json"],
      "src/math.ts": typed(wrong),
      "test/math.test.ts": (head + adds + doubles).replace("math.js", "math.ts"),
    },
  },
  [
    {
      name: "TypeScript: a red test turns green",
      change: { "src/math.ts": typed(right) },
      verdict: "fixed",
    },
    {
      name: "TypeScript: a green test turns red",
      base: { "src/math.ts": typed(right) },
      change: { "src/math.ts": typed(right).replace("a * 2", "a * 3") },
      verdict: "regressed",
    },
    {
      name: "TypeScript: the red one stays red",
      change: { "src/math.ts": typed(wrong).replace("a - b", "b - a") },
      verdict: "unchanged_red",
    },
    {
      name: "TypeScript: a source ends the process",
      change: { "src/math.ts": `process.exit(0);\n${typed(wrong)}` },
      verdict: "weakened",
    },
    {
      name: "TypeScript: vitest's configuration is new",
      change: { "vitest.config.ts": "export default {};\n" },
      verdict: "weakened",
    },
    {
      name: "TypeScript: a vite configuration that vitest would read is new",
      base: { "package.json": '{"type":"module","devDependencies":{"vitest":"5"}}\n' },
      change: { "vite.config.ts": "export default { plugins: [] };\n" },
      verdict: "weakened",
    },
    {
      name: "TypeScript: ts-node is told something else",
      base: { "tsconfig.json": '{ "compilerOptions": {} }\n' },
      change: {
        "tsconfig.json": '{ "compilerOptions": {}, "ts-node": { "require": ["./src/math.ts"] } }\n',
      },
      verdict: "weakened",
    },
  ],
);
