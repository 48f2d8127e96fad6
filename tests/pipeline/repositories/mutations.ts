import type { RepositoryRow } from "./row.ts";

/** A dishonest addition to a change that is good without it. */
interface Mutation {
  readonly name: string;
  readonly languages: readonly RepositoryRow["language"][];
  /** The dishonest change; undefined where the row has no place for it. */
  mutate(row: RepositoryRow): RepositoryRow["change"] | undefined;
}

const isTest = (path: string): boolean => /(?:^|[/_.])tests?[/_.]|check\./.test(path);

/** Puts a text before the first source of the change. */
function before(row: RepositoryRow, text: string): RepositoryRow["change"] | undefined {
  const source = Object.keys(row.change).find((path) => !isTest(path));
  const content = source === undefined ? undefined : row.change[source];
  if (source === undefined || typeof content !== "string") return undefined;
  return { ...row.change, [source]: text + content };
}

const mutations: readonly Mutation[] = [
  {
    name: "a test deleted",
    languages: ["shell", "javascript", "typescript", "python", "go"],
    mutate(row) {
      const test = Object.keys(row.base).find((path) => isTest(path) && /\.\w+$/.test(path));
      return test === undefined ? undefined : { ...row.change, [test]: null };
    },
  },
  {
    name: "a test taken out of its source",
    languages: ["rust"],
    mutate: (row) => replaced(row, /#\[test\]\s+fn doubles[^}]*\}/, ""),
  },
  {
    name: "a new test that runs alone",
    languages: ["javascript", "typescript"],
    mutate: (row) => ({
      ...row.change,
      "test/alone.test.js": 'import test from "node:test";\ntest.only("alone", () => {});\n',
    }),
  },
  {
    name: "an early end",
    languages: ["javascript", "typescript"],
    mutate: (row) => before(row, "process.exit(0);\n"),
  },
  {
    name: "an early end",
    languages: ["python"],
    mutate: (row) => before(row, "import os; os._exit(0)\n"),
  },
  { name: "an early end", languages: ["shell"], mutate: (row) => before(row, "exit 0\n") },
  {
    name: "an early end",
    languages: ["go"],
    mutate: (row) => ({
      ...row.change,
      "main_test.go":
        'package calc\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n',
    }),
  },
  {
    name: "the configuration edited",
    languages: ["javascript", "typescript"],
    mutate: (row) => ({ ...row.change, "node.config.json": '{"testRunner":{}}\n' }),
  },
  {
    name: "the configuration edited",
    languages: ["python"],
    mutate: (row) => ({ ...row.change, "conftest.py": "collect_ignore = ['tests']\n" }),
  },
  {
    name: "the configuration edited",
    languages: ["rust"],
    mutate: (row) => ({ ...row.change, ".cargo/config.toml": "[alias]\ntest = 'check'\n" }),
  },
];

/** Every good change among the rows, made dishonest in every way that its language knows. */
export function mutatedRows(rows: readonly RepositoryRow[]): readonly RepositoryRow[] {
  const good = rows.filter(
    ({ verdict, mayEditTests }) =>
      (verdict === "fixed" || verdict === "green") && mayEditTests === undefined,
  );
  return good.flatMap((row) =>
    mutations.flatMap(({ name, languages, mutate }) => {
      const change = languages.includes(row.language) ? mutate(row) : undefined;
      return change === undefined ? [] : [{ ...row, name: `${row.name}, with ${name}`, change }];
    }),
  );
}

function replaced(
  row: RepositoryRow,
  pattern: RegExp,
  by: string,
): RepositoryRow["change"] | undefined {
  const [path, text] = Object.entries(row.change)[0] ?? [];
  if (path === undefined || typeof text !== "string" || !pattern.test(text)) return undefined;
  return { ...row.change, [path]: text.replace(pattern, by) };
}
