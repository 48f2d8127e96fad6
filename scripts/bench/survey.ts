import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root as packageRoot } from "../bundle.ts";
import type { BenchRow } from "./row.ts";

/** The promise is for 200,000 files (`KIT_BENCH_FILES=200000`); making those takes minutes. */
const promisedFiles = 200_000;
const usualFiles = 10_000;

const task = "Round the price of a discounted order when the invoice is exported";

interface Survey {
  readonly tookMs: number;
  readonly megabytes: number;
  readonly stages: Readonly<Record<string, number>>;
  readonly files: number;
}

/** First and next survey of a large repository, each in a process of its own, and their memory. */
export function benchSurvey(): Promise<readonly BenchRow[]> {
  const files = Number(process.env["KIT_BENCH_FILES"] ?? usualFiles);
  const root = realpathSync(mkdtempSync(join(tmpdir(), "kit-bench-files-")));
  try {
    const last = writeTree(root, files);
    const first = survey(root);
    const next = survey(root);
    appendFileSync(join(root, last), "export const invoice = 1;\n");
    const changed = survey(root);
    const share = Math.max(0.2, files / promisedFiles);
    const rows = [
      timeRow("first survey", first, 5_000 * share),
      timeRow("next survey", next, 700 * Math.max(0.4, share)),
      timeRow("survey after a change", changed, 700 * Math.max(0.4, share)),
      { name: `memory of the first survey`, value: first.megabytes, unit: "MB", limit: 400 },
    ] as const satisfies readonly BenchRow[];
    return Promise.resolve(rows);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function timeRow(name: string, { tookMs, stages, files }: Survey, limit: number): BenchRow {
  const each = Object.entries(stages).map(([stage, ms]) => `${stage} ${ms}`);
  const beside = `${files} files; ms: ${each.join(", ")}`;
  return { name, value: tookMs, unit: "ms", limit: Math.round(limit), beside };
}

function survey(root: string): Survey {
  const program = join(packageRoot, "scripts/survey-once.ts");
  const printed = execFileSync(process.execPath, [program, root, task], { encoding: "utf8" });
  return JSON.parse(printed) as Survey;
}

/** Files of 6 KB in the mean, all different, committed; gives the path of the last one. */
function writeTree(root: string, files: number): string {
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
    const settings = ["-c", "core.compression=0", "-c", "gc.auto=0"];
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
