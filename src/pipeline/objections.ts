import { type BlockProblem, type Failure, repoPath, type RepoPath } from "../contracts/index.ts";
import type { PlanResult } from "../changes/index.ts";
import { findWeakening } from "../gate/index.ts";
import { writesMask } from "../survey/index.ts";

/** A plan that fits its files. */
export type Planned = Extract<PlanResult, { ok: true }>;

/** What speaks against trying a plan, beside the plan itself. */
export interface ObjectionFacts {
  /** Hash of each plan that was tried, with the attempt it came from. */
  readonly tried: ReadonlyMap<string, number>;
  /** Files shown with masked values: a whole new text of one would write over the real ones. */
  readonly editOnly: ReadonlySet<RepoPath>;
  /** Files that the test commands name. */
  readonly judge: ReadonlySet<string>;
  /** Files of the repository. */
  readonly files: ReadonlySet<string>;
  readonly mayEditTests: boolean;
  /** Bytes of a file that the plan leaves alone; undefined where there is none. */
  readonly read?: (path: RepoPath) => Promise<Uint8Array | undefined>;
}

/** Why a plan that fits its files is not tried all the same; undefined: it is. */
export async function objectionTo(
  { plan, before }: Planned,
  { tried, editOnly, judge, files, mayEditTests, read }: ObjectionFacts,
): Promise<Failure | undefined> {
  const earlier = tried.get(plan.hash);
  if (earlier !== undefined) {
    return { kind: "repeat", message: `equals the change of attempt ${earlier}` };
  }
  if (!mayEditTests) {
    const contents: ReadonlyMap<string, Uint8Array> = before;
    const current = async (path: string): Promise<Uint8Array | undefined> =>
      contents.get(path) ?? (await read?.(repoPath(path)));
    const found = await findWeakening(plan, current, {
      judge,
      files,
    });
    if (found.length > 0) {
      const message = found.map(({ path, reason }) => `${path}: ${reason}`).join("; ");
      return { kind: "tests_weakened", message, paths: found.map(({ path }) => path) };
    }
  }
  const blocks = overMasks({ plan, before }, editOnly);
  if (blocks.length === 0) return undefined;
  const message = `would write over masked values in ${blocks.map(({ path }) => path).join(", ")}`;
  return { kind: "apply", message, blocks };
}

function overMasks(
  { plan, before }: Pick<Planned, "plan" | "before">,
  editOnly: ReadonlySet<RepoPath>,
): BlockProblem[] {
  return plan.operations.flatMap((operation) => {
    if (operation.kind === "delete") return [];
    const { path, kind } = operation;
    const isWhole = kind === "write" && editOnly.has(path);
    if (!isWhole && !writesMask(before.get(path) ?? new Uint8Array(), operation.after)) return [];
    const reason = "was shown with masked values: answer with EDIT blocks for other lines only";
    return [{ line: 1, path, reason }];
  });
}
