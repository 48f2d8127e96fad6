import type { BlockProblem, Change, Failure, RepoPath } from "../../contracts/index.ts";

/** A path that may not be written, and why. */
interface Refusal {
  readonly path: RepoPath;
  readonly reason: string;
}

/** Everything that speaks against a plan, gathered so that one failure can name all of it. */
export class Refusals {
  private readonly moved: RepoPath[] = [];
  private readonly barred: Refusal[] = [];
  private readonly closed: Refusal[] = [];
  private readonly blocks: BlockProblem[] = [];

  /** A block that does not fit; its line is the change's unless another is given. */
  block(change: Change, reason: string, line = change.line): void {
    this.blocks.push({ line, path: change.path, reason });
  }

  /** Hunks that do not fit, with their lines and the nearest text. */
  add(problems: readonly BlockProblem[]): void {
    this.blocks.push(...problems);
  }

  /** A path that no reply may write. */
  bar(path: RepoPath, reason: string): void {
    this.barred.push({ path, reason });
  }

  /** A path that the coder may read but not write. */
  close(path: RepoPath, reason: string): void {
    this.closed.push({ path, reason });
  }

  /** A file that is no longer what the model saw. */
  move(path: RepoPath): void {
    if (!this.moved.includes(path)) this.moved.push(path);
  }

  /** The gravest of them as a failure: what the user did first, then what is forbidden, then what does not fit. */
  failure(): Failure | undefined {
    const { moved, barred, closed, blocks } = this;
    if (moved.length > 0) {
      const message = `Changed since the model saw it: ${moved.join(", ")}.`;
      return { kind: "conflict", message, paths: moved };
    }
    if (barred[0] !== undefined) {
      const message = `${barred[0].path} is not written: ${barred[0].reason}.`;
      return { kind: "out_of_scope", message, paths: barred.map(({ path }) => path) };
    }
    if (closed[0] !== undefined) {
      const message = `${closed[0].path} is read-only: ${closed[0].reason}.`;
      return { kind: "tests_weakened", message, paths: closed.map(({ path }) => path) };
    }
    if (blocks[0] === undefined) return undefined;
    const more = blocks.length > 1 ? ` (and ${blocks.length - 1} more)` : "";
    const message = `${blocks[0].path}: ${blocks[0].reason}${more}.`;
    return { kind: "apply", message, blocks };
  }
}
