import type { FileNumber, FileTable } from "../file-table.ts";
import { type Best, type Corpus, noScores, raiseTo, type Scores } from "./corpus.ts";

/** What files import, one step far. */
export function importScores(corpus: Corpus, from: Best): Scores {
  const scores = noScores(corpus);
  const { files } = corpus;
  for (const [file, score] of from) {
    const path = files.paths[file];
    const text = path === undefined ? undefined : corpus.text(path)?.text;
    if (path === undefined || text === undefined) continue;
    const targets = importsOf(path, text, files);
    // A file that imports everything says little about each.
    const share = score / Math.sqrt(Math.max(1, targets.size / 4));
    for (const target of targets) raiseTo(scores, target, share);
  }
  return scores;
}

function importsOf(path: string, text: string, files: FileTable): ReadonlySet<FileNumber> {
  const targets = new Set<FileNumber>();
  const add = (target: string | undefined): void => {
    const file = target === undefined || target === path ? undefined : files.numberOf(target);
    if (file !== undefined) targets.add(file);
  };
  for (const [, specifier = ""] of text.matchAll(/["'](\.{1,2}\/[^"'\n]+)["']/g)) {
    add(resolveImport(path, specifier, files));
  }
  for (const [, module = ""] of text.matchAll(/^\s*(?:from|import)\s+([\w.]+)/gm)) {
    const suffix = `${module.replaceAll(".", "/")}.py`;
    if (!path.endsWith(".py")) break;
    add(files.has(suffix) ? suffix : files.paths.find((file) => file.endsWith(`/${suffix}`)));
  }
  for (const [, header = ""] of text.matchAll(/^\s*#\s*include\s+"([^"\n]+)"/gm)) {
    add(resolveImport(path, `./${header}`, files));
  }
  return targets;
}

const importEndings = ["", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", "/index.ts", "/index.js"];

function resolveImport(from: string, specifier: string, files: FileTable): string | undefined {
  const segments = from.split("/").slice(0, -1);
  for (const segment of specifier.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== ".") segments.push(segment);
  }
  const path = segments.join("/");
  const written = [path, path.replace(/\.js(x?)$/, ".ts$1")];
  return written
    .flatMap((each) => importEndings.map((end) => each + end))
    .find((each) => files.has(each));
}
