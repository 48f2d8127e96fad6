import { isTestFile } from "./test-files.ts";

/** What pytest and unittest look for themselves: such a file is a test, not a module of one. */
const pythonTest = /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests|__init__)\.py$/;

/**
 * The module of the repository that a new Python file in a folder of tests would stand for: the
 * runners put that folder first on the path. Undefined: it stands for none.
 * @param files of the repository.
 */
export function shadowedModule(path: string, files: ReadonlySet<string>): string | undefined {
  if (!path.endsWith(".py") || !isTestFile(path) || (pythonTest.test(path) && !isPackage(path))) {
    return undefined;
  }
  const name = moduleName(path);
  return [...files].find((file) => {
    const isModule = file.endsWith(".py") && !isTestFile(file);
    return isModule && (moduleName(file) === name || file.split("/").includes(name));
  });
}

function isPackage(path: string): boolean {
  // `tests/__init__.py` makes a package of the tests; `tests/calc/__init__.py` is one of its own.
  return /\/(?!tests?\/)[^/]+\/__init__\.py$/i.test(path);
}

function moduleName(path: string): string {
  const parts = path.replace(/\.py$/, "").split("/");
  const last = parts.at(-1) ?? "";
  return last === "__init__" ? (parts.at(-2) ?? "") : last;
}
