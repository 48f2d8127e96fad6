/** What a kind of file is worth beside a source file. */
interface Kind {
  readonly pattern: RegExp;
  readonly factor: number;
  readonly examples: readonly string[];
}

/** The first that matches counts. */
export const kinds: readonly Kind[] = [
  {
    pattern:
      /(?:^|\/)(?:CHANGELOG|CHANGES|HISTORY|NEWS|RELEASES?|LICEN[CS]E|COPYING|AUTHORS|CONTRIBUTORS)\b[^/]*$/i,
    factor: 0.15,
    examples: ["CHANGELOG.md", "docs/HISTORY.rst", "LICENSE"],
  },
  {
    pattern: /(?:^|\/)(?:\.changeset|changelog\.d|newsfragments|locales?|translations)\//i,
    factor: 0.3,
    examples: [".changeset/a-b.md", "src/locale/de.json"],
  },
  {
    pattern: /\.(?:md|mdx|rst|txt|adoc|html?|ipynb|tex)$/i,
    factor: 0.4,
    examples: ["README.md", "docs/a.rst"],
  },
  {
    pattern: /\.(?:json|ya?ml|toml|ini|cfg|lock|csv|tsv|xml|svg|po|conf|properties)$/i,
    factor: 0.4,
    examples: ["package.json", "a/b.yaml"],
  },
  {
    pattern:
      /(?:^|\/)(?:fixtures?|testdata|test-data|examples?|samples?|demos?|benchmarks?|__mocks__|snapshots?)\//i,
    factor: 0.5,
    examples: ["test/fixtures/a.js", "examples/a.py"],
  },
  {
    pattern:
      /(?:^|\/)(?:(?:[^/]*[._-])?tests?|__tests__|specs?|e2e|t|[^/]*Tests)\/|[._-](?:test|spec|unittest)s?\.|(?:^|\/)test_[^/]*$|(?:Tests?|Spec|Suite|TestCase)\.\w+$/,
    factor: 0.75,
    examples: [
      "tests/a.ts",
      "src/a.test.ts",
      "a_test.go",
      "tests/test_a.py",
      "src/ATest.java",
      "Shop.Tests/Price.cs",
      "t/price.t",
      "PriceSuite.scala",
    ],
  },
];

const source: Kind = { pattern: /^/, factor: 1, examples: [] };

export function kindOf(path: string): Kind {
  return kinds.find(({ pattern }) => pattern.test(path)) ?? source;
}
