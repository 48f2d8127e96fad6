import { describe, expect, test } from "vitest";
import { folderWith, survey } from "./support.ts";

/** Enough unrelated files that nothing is shown only because the repository is small. */
const crowd = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => [
    `src/other/part${index}.js`,
    `export const value${index} = ${index};\n`.repeat(3),
  ]),
);

const project = {
  ...crowd,
  "package.json": '{"scripts":{"test":"node --test"}}',
  "README.md": "# Shop\n\nProjects are saved, discounts are rounded.\n",
  "src/project/save.js":
    "export function saveProject(project) {\n  return store.write(project.items[0].id, project);\n}\n",
  "src/project/load.js": "export function loadProject(id) {\n  return store.read(id);\n}\n",
  "src/money.js": "export const roundPrice = (value) => Math.floor(value);\n",
  "src/cart.js":
    "import { roundPrice } from './money.js';\nexport const total = (cart) => roundPrice(cart.sum);\n",
  "test/cart.test.js":
    "import test from 'node:test';\nimport { total } from '../src/cart.js';\ntest('totals', () => {});\n",
};

const pathsFor = async (
  task: string,
  output?: string,
  files: Record<string, string> = project,
): Promise<readonly string[]> =>
  (await survey(folderWith(files), task, output)).ranked.map(({ path }) => path);

describe("what a task is likely about", () => {
  test.each([
    ["words of the path", "Saving an empty project crashes", "src/project/save.js"],
    ["a word of the contents", "The floor of a value is wrong", "src/money.js"],
    ["an identifier", "`roundPrice` must round half up", "src/money.js"],
    ["a called identifier", "fix total() for empty carts", "src/cart.js"],
    ["a path", "Look into src/project/load.js", "src/project/load.js"],
    ["a file's name", "load.js is slow when a project is saved", "src/project/load.js"],
    ["a hump of a name", "price is negative", "src/money.js"],
  ])("%s", async (_, task, first) => {
    expect((await pathsFor(task))[0]).toBe(first);
  });

  test("nothing in common gives no ranking of a larger repository", async () => {
    expect(await pathsFor("xylophone")).toEqual([]);
  });

  test("in a small repository everything readable is shown", async () => {
    const paths = await pathsFor("xylophone", undefined, {
      "a.js": "1",
      "b/c.py": "2",
      "logo.png": "3",
    });

    expect(paths).toEqual(["a.js", "b/c.py"]);
  });

  test("short words match whole words only", async () => {
    const files = { ...crowd, "a.js": "const address = padding;", "b.js": "function add() {}" };

    expect(await pathsFor("add is wrong", undefined, files)).toEqual(["b.js"]);
  });
});

describe("what a red test points to", () => {
  test.each([
    [
      "node",
      "✖ totals (1ms)\n  AssertionError: 1 !== 2\n    at TestContext.<anonymous> (file:///ci/build/test/cart.test.js:3:1)",
    ],
    ["jest", "  ● totals\n\n      at Object.<anonymous> (test/cart.test.js:3:1)"],
    ["tsc", "test/cart.test.js(3,5): error TS2322: Type"],
  ])("%s: the test, then what it uses", async (_, output) => {
    const [first, second] = await pathsFor("Something is off", output);

    expect(first).toBe("test/cart.test.js");
    expect(second).toBe("src/cart.js");
  });

  test("python: traceback and imports", async () => {
    const files = {
      ...crowd,
      "shop/money.py": "def round_price(value):\n    return int(value)\n",
      "tests/test_money.py":
        "from shop.money import round_price\n\ndef test_it():\n    assert round_price(1.5) == 2\n",
    };
    const output =
      'Traceback (most recent call last):\n  File "/ci/tests/test_money.py", line 4, in test_it\nAssertionError';

    expect((await pathsFor("Wrong totals", output, files)).slice(0, 2)).toEqual([
      "tests/test_money.py",
      "shop/money.py",
    ]);
  });
});

test("files that only the failing output speaks for are told from those of the task", async () => {
  const { ranked } = await survey(folderWith(project), "price", "at test/cart.test.js:3:1");
  const forTask = ranked.filter((file) => file.forTask).map(({ path }) => path);

  expect(ranked.map(({ path }) => path)).toContain("test/cart.test.js");
  expect(forTask).not.toContain("test/cart.test.js");
  expect(forTask).toContain("src/money.js");
});

test("the same repository, task and output give the same survey", async () => {
  const root = folderWith(project);
  const output = "at src/cart.js:2:1 and src/money.js:1";

  const first = await survey(root, "Saving rounds the price", output);

  expect(await survey(root, "Saving rounds the price", output)).toEqual(first);
  expect(first.ranked.length).toBeGreaterThan(2);
  expect(first.ranked.every(({ score, why }) => score > 0 && why.length > 0)).toBe(true);
});
