import { appendFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Measured, surveyProgram } from "./measured.ts";
import { writeTree } from "./synthetic-tree.ts";

/** Each kind of survey is made so often; the quickest counts, as others use the machine too. */
const rounds = 3;

const stages = ["files", "contents", "history", "ranking", "excerpts"];

/**
 * First survey of a made tree, the next one, and one after a change, stage by stage.
 * @param folder for the tree; one that is there already is used again.
 */
export async function measureSynthetic(files: number, folder: string): Promise<void> {
  const root = join(folder, `tree-${files}`);
  const isNew = !existsSync(root);
  if (isNew) {
    mkdirSync(root, { recursive: true });
    writeTree(root, files);
  }
  const survey = await surveyProgram(folder);
  const rows: [string, Measured][] = [
    ["first", quickest(() => (forget(root), survey(root)))],
    ["next", quickest(() => survey(root))],
  ];
  const one = join(root, "packages", "changed.ts");
  rows.push([
    "one changed",
    quickest(() => (appendFileSync(one, "export const invoice = 1;\n"), survey(root))),
  ]);
  rmSync(one);
  console.log(`${files} files, milliseconds; the quickest of ${rounds}`);
  const heads = ["in all", ...stages, "own CPU", "MB"];
  console.log(`  ${"".padEnd(12)}${heads.map((head) => head.padStart(10)).join("")}`);
  for (const [name, { tookMs, cpuMs, megabytes, stages: took }] of rows) {
    const cells = [tookMs, ...stages.map((stage) => took[stage] ?? 0), cpuMs, megabytes];
    console.log(`  ${name.padEnd(12)}${cells.map((cell) => String(cell).padStart(10)).join("")}`);
  }
}

/** The cache away, as on the first day. */
function forget(root: string): void {
  rmSync(join(root, ".kit"), { recursive: true, force: true });
}

function quickest(measure: () => Measured): Measured {
  const measured = Array.from({ length: rounds }, measure);
  return measured.reduce((best, each) => (each.tookMs < best.tookMs ? each : best));
}
