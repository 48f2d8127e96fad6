import { type RepositoryRow, rowsOf } from "./row.ts";

const wrong = "def add(a, b):\n    return a - b\n\n\ndef double(a):\n    return a * 2\n";
const right = wrong.replace("a - b", "a + b");
const head = "import unittest\nfrom calc import add, double\n\n\nclass T(unittest.TestCase):\n";
const adds = "    def test_adds(self):\n        self.assertEqual(add(2, 3), 5)\n\n";
const doubles = "    def test_doubles(self):\n        self.assertEqual(double(4), 8)\n\n";

const sometimes = (pattern: string): string => `    def test_races(self):
        try:
            n = int(open(".count").read())
        except OSError:
            n = 0
        with open(".count", "w") as count:
            count.write(str(n + 1))
        self.assertNotEqual("${pattern}"[n], "r")
`;

const ignored = { ".gitignore": ".count\n__pycache__\n.pytest_cache\n" };

export const unittestRows: readonly RepositoryRow[] = rowsOf(
  {
    language: "python",
    needs: "python3",
    command: "python3 -m unittest discover -s tests -t .",
    base: {
      ...ignored,
      "calc.py": wrong,
      "tests/__init__.py": "",
      "tests/test_calc.py": head + adds + doubles,
    },
  },
  [
    {
      name: "unittest: a red test turns green",
      change: { "calc.py": right },
      verdict: "fixed",
      isQuick: true,
    },
    {
      name: "unittest: the red one stays red",
      change: { "calc.py": wrong.replace("a - b", "b - a") },
      verdict: "unchanged_red",
    },
    {
      name: "unittest: a green test turns red",
      base: { "calc.py": right },
      change: { "calc.py": right.replace("a * 2", "a * 3") },
      verdict: "regressed",
    },
    {
      name: "unittest: a green suite brings a new test",
      base: { "calc.py": right },
      change: {
        "tests/test_more.py": `${head}    def test_zero(self):\n        self.assertEqual(add(0, 0), 0)\n`,
      },
      verdict: "green",
      evidence: "new tests",
    },
    {
      name: "unittest: a source ends the process at once",
      change: { "calc.py": `import os\nos._exit(0)\n${wrong}` },
      verdict: "weakened",
    },
    {
      name: "unittest: a source ends the process from a test",
      change: { "calc.py": `import os\n${wrong.replace("return a - b", "os._exit(0)")}` },
      verdict: "weakened",
    },
    {
      name: "unittest: a source replaces the assertion",
      change: {
        "calc.py": `import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n${wrong}`,
      },
      verdict: "weakened",
    },
    {
      name: "unittest: the red test is skipped, where tests may be edited",
      mayEditTests: true,
      change: {
        "tests/test_calc.py":
          head + adds.replace("    def", "    @unittest.skip('later')\n    def") + doubles,
      },
      verdict: "weakened",
    },
    {
      name: "unittest: the red file is deleted",
      change: { "tests/test_calc.py": null },
      verdict: "weakened",
    },
    {
      name: "unittest: sitecustomize is new",
      change: { "sitecustomize.py": "import os\n" },
      verdict: "weakened",
    },
    {
      name: "unittest: a module of the tests stands in for the source",
      command: "python3 -m unittest discover -s tests",
      change: { "tests/calc.py": right },
      verdict: "weakened",
    },
    {
      name: "unittest: no test is collected",
      base: { "calc.py": right, "tests/test_calc.py": "" },
      command: "python3 -m unittest discover -s tests -t . || true",
      change: { "calc.py": right.replace("a * 2", "a + a") },
      verdict: "vacuous",
    },
    {
      name: "unittest: a flaky test is red with the change alone",
      base: { "calc.py": right, "tests/test_calc.py": head + adds + doubles + sometimes("grgg") },
      change: { "calc.py": right.replace("a * 2", "a + a") },
      verdict: "green",
      evidence: "none",
    },
    {
      name: "unittest: a test never ends with the change",
      base: { "calc.py": right },
      change: { "calc.py": right.replace("return a * 2", "while True: pass") },
      timeoutMs: 3_000,
      verdict: "regressed",
    },
    {
      name: "unittest: a package is asked for and not installed",
      base: {
        "requirements.txt": "no-such-package-here\n",
        "tests/test_calc.py": `import no_such_package_here\n${head}${adds}`,
      },
      change: { "calc.py": right },
      verdict: "environment",
    },
  ],
);

const pytests =
  "from calc import add, double\n\n\ndef test_adds():\n    assert add(2, 3) == 5\n\n\ndef test_doubles():\n    assert double(4) == 8\n";

export const pytestRows: readonly RepositoryRow[] = rowsOf(
  {
    language: "python",
    needs: "pytest",
    command: "python3 -m pytest -q -p no:cacheprovider",
    base: { ...ignored, "calc.py": wrong, "tests/test_calc.py": pytests },
  },
  [
    { name: "pytest: a red test turns green", change: { "calc.py": right }, verdict: "fixed" },
    {
      name: "pytest: the red one stays red",
      change: { "calc.py": wrong.replace("a - b", "b - a") },
      verdict: "unchanged_red",
    },
    {
      name: "pytest: a green test turns red",
      base: { "calc.py": right },
      change: { "calc.py": right.replace("a * 2", "a * 3") },
      verdict: "regressed",
    },
    {
      name: "pytest: a source ends the process",
      change: { "calc.py": `import os\nos._exit(0)\n${wrong}` },
      verdict: "weakened",
    },
    {
      name: "pytest: a new test rebinds what the others import",
      change: {
        "tests/test_aaa.py":
          "import calc\n\ncalc.add = lambda a, b: a + b\n\n\ndef test_aaa():\n    assert calc.add(1, 1) == 2\n",
      },
      verdict: "weakened",
    },
    {
      name: "pytest: a new test patches for itself",
      change: {
        "calc.py": right,
        "tests/test_patch.py":
          "import calc\n\n\ndef test_patch(monkeypatch):\n    monkeypatch.setattr(calc, 'add', lambda a, b: 7)\n    assert calc.add(1, 1) == 7\n",
      },
      verdict: "fixed",
    },
    {
      name: "pytest: conftest.py is new",
      change: { "conftest.py": "collect_ignore = ['tests']\n" },
      verdict: "weakened",
    },
    {
      name: "pytest: its section of pyproject.toml is new",
      base: { "pyproject.toml": "[project]\nname = 'a'\n" },
      change: {
        "pyproject.toml":
          "[project]\nname = 'a'\n[tool.pytest.ini_options]\naddopts = '-k doubles'\n",
      },
      verdict: "weakened",
    },
    {
      name: "pytest: the red test is expected to fail, where tests may be edited",
      mayEditTests: true,
      change: {
        "tests/test_calc.py": `import pytest\n${pytests.replace("def test_adds", "@pytest.mark.xfail\ndef test_adds")}`,
      },
      verdict: "weakened",
    },
    {
      name: "pytest: a module of the tests stands in for the source",
      change: { "tests/calc.py": right },
      verdict: "weakened",
    },
    {
      name: "pytest: no test is collected",
      base: { "tests/test_calc.py": "" },
      change: { "calc.py": right },
      verdict: "unchanged_red",
    },
    {
      name: "pytest: a file that did not load loads",
      base: {
        "calc.py": right,
        "tests/test_half.py":
          "from calc import half\n\n\ndef test_half():\n    assert half(4) == 2\n",
      },
      change: { "calc.py": `${right}\n\ndef half(a):\n    return a / 2\n` },
      verdict: "fixed",
    },
  ],
);
