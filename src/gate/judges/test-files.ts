/** A family of paths and where the convention comes from. */
interface PathRule {
  readonly of: string;
  readonly pattern: RegExp;
  /** Paths the rule was written for. */
  readonly examples: readonly string[];
}

/** What counts as a test: the judge, read-only for the coder. Helpers and data of tests too. */
export const testFileRules: readonly PathRule[] = [
  {
    of: "jest, vitest, mocha, node:test, playwright, jasmine",
    pattern: /[._-](?:test|spec|e2e|cy)\.[cm]?[jt]sx?$/i,
    examples: ["src/math.test.ts", "src/app.e2e.js", "lib/math-test.mjs", "a.spec.tsx"],
  },
  {
    // At the top only: `src/commands/test.ts` is a source.
    of: "the one test file of a small repository",
    pattern:
      /^(?:tests?|specs?|runtests?|run[-_]tests?)\.(?:[cm]?[jt]sx?|py|rb|php|lua|pl|sh|bash)$/i,
    examples: ["test.js", "tests.py", "spec.ts", "test.sh", "run_tests.py"],
  },
  {
    of: "jest and vitest folders",
    pattern: /(?:^|\/)(?:__tests__|__snapshots__|__fixtures__)\//,
    examples: ["src/__tests__/math.js", "src/__snapshots__/a.snap"],
  },
  {
    of: "test folders of most languages, data and helpers included",
    pattern: /(?:^|\/)(?:tests?|e2e|testdata|cypress)\//i,
    examples: [
      "test/math.js",
      "tests/fixtures/a.json",
      "src/test/java/A.java",
      "pkg/testdata/in.txt",
    ],
  },
  {
    // A folder of that name may also hold documents: only code in it is a test.
    of: "spec folders",
    pattern: /(?:^|\/)spec\/.*\.(?:rb|[cm]?[jt]sx?|lua|cr|hs|php)$/i,
    examples: ["spec/models/user.rb", "spec/helpers/run.js"],
  },
  { of: "snapshots", pattern: /\.snap$/, examples: ["a.test.ts.snap"] },
  {
    of: "pytest and unittest",
    pattern: /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests)\.py$/,
    examples: ["test_math.py", "pkg/math_test.py", "app/tests.py"],
  },
  { of: "go test", pattern: /_test\.go$/, examples: ["pkg/math_test.go"] },
  { of: "cargo", pattern: /(?:^|\/)tests?\.rs$/, examples: ["src/parser/tests.rs"] },
  {
    of: "JUnit, NUnit, xUnit, XCTest, PHPUnit, ScalaTest",
    pattern:
      /(?:[a-z0-9]Tests?|[a-z0-9]TestCase|[a-z0-9]Spec|[a-z0-9]IT)\.(?:java|kts?|scala|groovy|cs|fs|vb|swift|php|m)$/,
    examples: ["src/MathTest.java", "A1Tests.cs", "ParserSpec.scala"],
  },
  {
    of: "RSpec, minitest, ExUnit, busted, googletest, dart, clojure.test, eunit",
    pattern:
      /(?:_(?:spec|test|unittest|SUITE)|^test_|\/test_)[^/.]*\.(?:rb|exs?|lua|cc|cpp|cxx|c|dart|cljs?|erl|jl|r|ml|zig)$/,
    examples: ["user_spec.rb", "math_test.exs", "src/test_math.cpp", "a_unittest.cc"],
  },
  { of: "bats, prove", pattern: /\.(?:bats|t)$/, examples: ["t/basic.t", "x.bats"] },
];

/** What tells a runner which tests exist and how they run. */
export const runnerConfigurationRules: readonly PathRule[] = [
  {
    of: "JavaScript runners",
    pattern:
      /(?:^|\/)(?:jest|vitest|ava|karma|playwright|cypress|wdio|web-test-runner|protractor|testem|nightwatch)(?:[.-][\w.-]+)?\.(?:config|conf|setup|workspace|preset|projects)(?:\.[\w-]+)*\.(?:[cm]?[jt]s|json)$|(?:^|\/)(?:karma\.conf|testem|cypress)\.(?:js|json)$/,
    examples: [
      "jest.config.js",
      "vitest.config.ts",
      "packages/a/vitest.workspace.mts",
      "jest.setup.js",
      "vitest.config.e2e.ts",
      "karma.conf.js",
      "cypress.json",
    ],
  },
  {
    of: "set-up files of create-react-app and others",
    pattern: /(?:^|\/)(?:setupTests|test-setup|testSetup|jest-setup|vitest-setup)\.[cm]?[jt]sx?$/,
    examples: ["src/setupTests.ts"],
  },
  {
    of: "dotfile configurations",
    pattern:
      /(?:^|\/)\.(?:mocharc|nycrc|c8rc|taprc|avarc|jestrc|rspec|coveragerc|runsettings)(?:\.[\w]+)?$/,
    examples: [".mocharc.yml", ".nycrc.json", ".taprc", ".rspec", ".coveragerc"],
  },
  {
    of: "node --test (node.config.json), bun test (bunfig.toml), jasmine",
    pattern: /(?:^|\/)(?:node\.config\.json|bunfig\.toml|jasmine\.(?:json|mjs))$/,
    examples: ["node.config.json", "bunfig.toml", "spec/support/jasmine.json"],
  },
  {
    of: "Python runners",
    pattern: /(?:^|\/)(?:\.?pytest\.ini|pytest\.toml|conftest\.py|tox\.ini|tox\.toml|noxfile\.py)$/,
    examples: ["pytest.ini", "tests/conftest.py", "tox.ini", "noxfile.py"],
  },
  {
    // Python imports these before, or in place of, what was asked for.
    of: "modules that shadow the runner",
    pattern:
      /(?:^|\/)(?:sitecustomize|usercustomize|pytest|_pytest|unittest)(?:\.py|\/__init__\.py)$/,
    examples: ["sitecustomize.py", "pytest.py", "unittest/__init__.py"],
  },
  {
    of: "cargo (runner, aliases), nextest",
    pattern: /(?:^|\/)\.(?:cargo\/config(?:\.toml)?|config\/nextest\.toml)$/,
    examples: [".cargo/config.toml", ".config/nextest.toml"],
  },
  {
    of: "package managers: which program `npm test` is",
    pattern: /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.c?js)$/,
    examples: [".yarnrc.yml", ".pnpmfile.cjs", ".npmrc"],
  },
  {
    // jest and vitest take these in place of the modules beside them and of packages.
    of: "mocks of what is tested",
    pattern: /(?:^|\/)__mocks__\//,
    examples: ["__mocks__/axios.js", "src/__mocks__/math.ts"],
  },
  {
    of: "what turns sources into what the tests run",
    pattern:
      /(?:^|\/)(?:babel\.config\.(?:[cm]?[jt]s|json)|\.babelrc(?:\.[cm]?js(?:on)?)?|\.swcrc)$/,
    examples: ["babel.config.js", ".babelrc", "packages/a/.babelrc.json", ".swcrc"],
  },
  {
    of: "installed runners",
    pattern: /(?:^|\/)(?:node_modules|\.venv|site-packages)\//,
    examples: ["node_modules/vitest/index.js"],
  },
  {
    of: "PHPUnit, JUnit platform, Surefire",
    pattern: /(?:^|\/)(?:phpunit\.xml(?:\.dist)?|junit-platform\.properties|testng\.xml)$/,
    examples: ["phpunit.xml.dist", "src/main/resources/junit-platform.properties"],
  },
];

/** True for a test file, a helper or data of tests. */
export function isTestFile(path: string): boolean {
  return testFileRules.some(({ pattern }) => pattern.test(path));
}

/** True for a file that only configures a test runner; manifests are read by `weakeningOf`. */
export function isRunnerConfiguration(path: string): boolean {
  return runnerConfigurationRules.some(({ pattern }) => pattern.test(path));
}

/** True for a path at which the coder may create a file that is a test. */
export function mayCreateTestFile(path: string): boolean {
  return isTestFile(path) && !isRunnerConfiguration(path);
}
