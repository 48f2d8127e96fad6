import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { root as packageRoot } from "../bundle.ts";

/** The task that synthetic trees are surveyed for; its words are among theirs. */
const task = "Round the price of a discounted order when the invoice is exported";

/** One survey, as its own process tells. */
export interface Measured {
  readonly tookMs: number;
  /** Processor time of kit itself, its threads included, the git calls not. */
  readonly cpuMs: number;
  readonly megabytes: number;
  readonly stages: Readonly<Record<string, number>>;
  readonly files: number;
}

/**
 * Makes a program that surveys a folder once, in a process of its own. Bundled as kit is: taking
 * types off at run time alone costs 70 MB.
 * @param folder where the program may be written.
 */
export async function surveyProgram(folder: string): Promise<(root: string) => Measured> {
  const bundle = await rolldown({
    input: {
      "survey-once": join(packageRoot, "scripts/survey-once.ts"),
      "survey-worker": join(packageRoot, "src/survey/terms/worker.ts"),
    },
    platform: "node",
    cwd: packageRoot,
  });
  const dir = join(folder, "program");
  await bundle.write({ dir, format: "esm", entryFileNames: "[name].js" });
  await bundle.close();
  const program = join(dir, "survey-once.js");
  return (root) => {
    const printed = execFileSync(process.execPath, [program, root, task], { encoding: "utf8" });
    return JSON.parse(printed) as Measured;
  };
}
