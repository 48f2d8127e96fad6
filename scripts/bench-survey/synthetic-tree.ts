import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Files of 6 KB in the mean, all different, committed; gives the path of the last one. */
export function writeTree(root: string, files: number): string {
  const random = numbersFrom(42);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const parts = "ba ce di fo gu ha je ki lo mu na pe qi ro su ta ve wi xo zu".split(" ");
  const words = Array.from({ length: 8_000 }, () => pick(parts) + pick(parts) + pick(parts));
  words.push("price", "discount", "order", "invoice", "export", "round");
  // Few words are met often, most seldom, as in real code.
  const word = (): string => words[Math.floor(random() ** 3 * words.length)] ?? "";
  const hump = (): string => word().replace(/^./, (first) => first.toUpperCase());
  const lines = Array.from({ length: 20_000 }, () =>
    pick([
      () => `export function ${word()}${hump()}(${word()}, ${word()}) {`,
      () => `  const ${word()} = ${word()}${hump()}.${word()}(${word()});`,
      () => `  // ${word()} ${word()} ${word()} ${word()}`,
      () => `  return ${word()}.${word()}${hump()};\n}`,
    ])(),
  );
  let path = "";
  for (let file = 0; file < files; file += 1) {
    const folder = `packages/${words[(file >> 9) % 8_000] ?? ""}/src/${words[(file >> 4) % 8_000] ?? ""}${file >> 4}`;
    path = `${folder}/${word()}${hump()}${file % 16}.ts`;
    const size = 1_000 + random() ** 2 * 15_000;
    let text = "";
    while (text.length < size) text += `${pick(lines)}\n`;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const git = (...args: string[]): void => {
    // Straight into one pack: as many loose objects take minutes.
    const settings = ["-c", "core.compression=0", "-c", "core.bigFileThreshold=1"];
    const author = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
    execFileSync("git", [...settings, ...author, ...args], { cwd: root, stdio: "ignore" });
  };
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "start");
  return path;
}

/** The same numbers from 0 to 1 every time. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
