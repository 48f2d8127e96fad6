import {
  type BlockProblem,
  type Change,
  type ChangePlan,
  type ChangeSet,
  type Failure,
  type RepoPath,
} from "../../contracts/index.ts";
import { sha256 } from "../../lib/text.ts";
import { checkWritePath } from "../paths.ts";
import type { TreeReader } from "../tree.ts";
import { editFile } from "./edit.ts";
import { fileBytes, modelLines, readFileText, type FileText } from "./file-text.ts";
import { Overlay, type PlannedFile } from "./overlay.ts";
import { hashOf, operationsOf } from "./operations.ts";
import { isPlaceholder } from "./placeholder.ts";
import type { WriteScope } from "./scope.ts";
import { isShrunk, replaceWhole } from "./whole.ts";

/** A plan, or why there is none. */
export type PlanResult =
  | {
      readonly ok: true;
      readonly plan: ChangePlan;
      /** What stood at each path that the plan changes, for `diffOfPlan`. */
      readonly before: ReadonlyMap<RepoPath, Uint8Array>;
      /** Hunks whose effect the files already had. */
      readonly alreadyApplied: readonly { readonly path: RepoPath; readonly line: number }[];
    }
  | { readonly ok: false; readonly failure: Failure };

/** Larger files are neither read nor made. */
const maxFileBytes = 64 * 1024 * 1024;
const newFileMode = 0o644;
const emptyFile: FileText = { mark: "", lines: [] };

/**
 * Holds a change set against the files, in memory: every path allowed, every search text fitted,
 * every conflict named (docs/reply-format.md). Writes nothing. A failure lists every block that
 * does not fit, with what is wrong and the nearest lines.
 */
export async function planChanges(
  changeSet: ChangeSet,
  tree: TreeReader,
  scope: WriteScope,
): Promise<PlanResult> {
  const planner = new Planner(tree, scope);
  for (const change of changeSet.changes) await planner.add(change);
  return planner.finish();
}

/** Refusals of one plan by kind, gravest first when they are turned into the failure. */
interface Refusals {
  readonly moved: RepoPath[];
  readonly barred: { path: RepoPath; reason: string }[];
  readonly readOnly: { path: RepoPath; reason: string }[];
  readonly blocks: BlockProblem[];
}

class Planner {
  private readonly overlay: Overlay;
  private readonly scope: WriteScope;
  private readonly refused: Refusals = { moved: [], barred: [], readOnly: [], blocks: [] };
  private readonly alreadyApplied: { path: RepoPath; line: number }[] = [];

  constructor(tree: TreeReader, scope: WriteScope) {
    this.overlay = new Overlay(tree);
    this.scope = scope;
  }

  /** Plans one change on top of those before it; what does not fit is remembered. */
  async add(change: Change): Promise<void> {
    const targets = [change.path, ...targetOf(change)];
    let isAllowed = true;
    for (const path of targets) isAllowed = (await this.mayWrite(path, change)) && isAllowed;
    if (!isAllowed) return;
    const file = await this.overlay.file(change.path);
    switch (change.kind) {
      case "write":
        return this.write(change, file);
      case "edit":
        return this.edit(change, file);
      case "delete":
        if (file === undefined) this.refuse(change, "there is no such file to delete");
        else this.overlay.take(change.path, file);
        return;
      case "rename":
        if (file === undefined) this.refuse(change, "there is no such file to rename");
        else await this.move(change, change.to, file);
    }
  }

  async finish(): Promise<PlanResult> {
    const failure = failureOf(this.refused);
    if (failure !== undefined) return { ok: false, failure };
    const operations = operationsOf(this.overlay);
    if (operations.length === 0) {
      const done = this.alreadyApplied.length > 0;
      const message = done
        ? "The files already hold everything the reply changes."
        : "The reply changes nothing: the files already hold what it says.";
      return { ok: false, failure: { kind: "no_changes", message } };
    }
    const before = new Map<RepoPath, Uint8Array>();
    for (const { path } of operations) {
      const entry = await this.overlay.entry(path);
      if (entry.kind === "file") before.set(path, entry.bytes);
    }
    const plan = { operations, hash: hashOf(operations) };
    return { ok: true, plan, before, alreadyApplied: this.alreadyApplied };
  }

  private refuse(change: Change, reason: string): void {
    this.refused.blocks.push({ line: change.line, path: change.path, reason });
  }

  private async mayWrite(path: RepoPath, change: Change): Promise<boolean> {
    const allowed = checkWritePath(path, this.scope.named, this.scope.hookFolders);
    if (!allowed.ok) {
      this.refused.barred.push({ path, reason: allowed.reason });
      return false;
    }
    const readOnly = this.scope.readOnly(path);
    if (readOnly !== undefined) {
      this.refused.readOnly.push({ path, reason: readOnly });
      return false;
    }
    const obstacle = await this.overlay.obstacle(path);
    if (obstacle !== undefined) {
      this.refuse(change, obstacle);
      return false;
    }
    return this.isAsSeen(path);
  }

  private async isAsSeen(path: RepoPath): Promise<boolean> {
    const hash = this.scope.seen?.get(path);
    if (hash === undefined) return true;
    const entry = await this.overlay.entry(path);
    if (entry.kind === "file" && sha256(entry.bytes) === hash) return true;
    this.refused.moved.push(path);
    return false;
  }

  private async write(
    change: Change & { kind: "write" },
    file: PlannedFile | undefined,
  ): Promise<void> {
    const { path } = change;
    if (file === undefined) {
      const lines = contentLines(change, emptyFile);
      if (this.refusePlaceholders(change, lines, new Set())) return;
      await this.create(change, replaceWhole(emptyFile, lines));
      return;
    }
    if (this.scope.newPaths.has(path) && file.origin !== undefined) {
      this.refuse(change, "the file exists by now; it was to be created, so it may only be edited");
      return;
    }
    const before = this.read(change, file);
    if (before === undefined) return;
    const lines = contentLines(change, before);
    if (isShrunk(before, lines)) {
      const sizes = `${before.lines.length} lines become ${lines.length}`;
      this.refuse(change, `${sizes}: write the file whole, or change it with EDIT`);
      return;
    }
    if (this.refusePlaceholders(change, lines, textsOf(before))) return;
    this.put(path, file, replaceWhole(before, lines), "whole");
  }

  private async edit(
    change: Change & { kind: "edit" },
    file: PlannedFile | undefined,
  ): Promise<void> {
    const { path, hunks } = change;
    if (file === undefined && (hunks[0]?.search !== "" || change.renameTo !== undefined)) {
      this.refuse(change, "there is no such file to edit");
      return;
    }
    const before = file === undefined ? emptyFile : this.read(change, file);
    if (before === undefined) return;
    const old = textsOf(before);
    const hasPlaceholder = hunks.map((hunk) =>
      this.refusePlaceholders({ ...change, line: hunk.line }, modelLines(hunk.replace), old),
    );
    const result = editFile(path, before, hunks);
    this.refused.blocks.push(...result.problems);
    this.alreadyApplied.push(...result.alreadyApplied.map((line) => ({ path, line })));
    if (result.problems.length > 0 || hasPlaceholder.includes(true)) return;
    if (file === undefined) {
      await this.create(change, result.file);
      return;
    }
    const edited = this.put(path, file, result.file, "edited", result.strategy);
    if (change.renameTo !== undefined) await this.move(change, change.renameTo, edited);
  }

  private async create(change: Change, file: FileText): Promise<void> {
    const { path } = change;
    const twin = await this.overlay.caseTwin(path);
    const bytes = fileBytes(file);
    if (twin !== undefined) {
      this.refuse(change, `differs from ${twin} in upper and lower case only`);
    } else if (bytes.includes(0)) this.refuse(change, "the new file holds a NUL");
    else if (bytes.length > maxFileBytes) this.refuse(change, "the new file is too large");
    else this.overlay.put(path, { bytes, mode: newFileMode, written: "whole" });
  }

  private async move(change: Change, to: RepoPath, file: PlannedFile): Promise<void> {
    const target = await this.overlay.entry(to);
    const twin = await this.overlay.caseTwin(to);
    if (target.kind !== "missing" || this.overlay.planned.has(to)) {
      this.refuse(change, `${to} exists; a rename does not overwrite`);
    } else if (twin !== undefined) {
      this.refuse(change, `${to} differs from ${twin} in upper and lower case only`);
    } else {
      this.overlay.take(change.path, file);
      this.overlay.put(to, file);
    }
  }

  private read(change: Change, file: PlannedFile): FileText | undefined {
    if (file.bytes.length > maxFileBytes) {
      this.refuse(change, `the file is larger than ${maxFileBytes / 1024 / 1024} MiB`);
      return undefined;
    }
    const reading = readFileText(file.bytes);
    if (reading.ok) return reading.file;
    this.refuse(change, reading.reason);
    return undefined;
  }

  private put(
    path: RepoPath,
    file: PlannedFile,
    text: FileText,
    written: "whole" | "edited",
    strategy?: PlannedFile["strategy"],
  ): PlannedFile {
    const planned = { ...file, bytes: fileBytes(text), written };
    const kept = strategy === undefined ? planned : { ...planned, strategy };
    this.overlay.put(path, kept);
    return kept;
  }

  /** Refuses lines that stand for text left out, unless the old file holds such a line. */
  private refusePlaceholders(
    change: Change,
    lines: readonly string[],
    old: ReadonlySet<string>,
  ): boolean {
    const found = lines.find((line) => isPlaceholder(line, change.path) && !old.has(line.trim()));
    if (found === undefined) return false;
    this.refuse(
      change,
      `the line "${found.trim()}" stands for text that was left out; write it out`,
    );
    return true;
  }
}

function targetOf(change: Change): readonly RepoPath[] {
  if (change.kind === "rename") return [change.to];
  return change.kind === "edit" && change.renameTo !== undefined ? [change.renameTo] : [];
}

/** The lines to write; a comment that named the file counts only where the old file has it. */
function contentLines(change: Change & { kind: "write" }, before: FileText): readonly string[] {
  const lines = modelLines(change.content);
  const [first, second] = lines;
  if (change.isNamedByFirstLine !== true || first === undefined) return lines;
  if (textsOf(before).has(first.trim())) return lines;
  return lines.slice(second?.trim() === "" ? 2 : 1);
}

function textsOf(file: FileText): ReadonlySet<string> {
  return new Set(file.lines.map(({ text }) => text.trim()));
}

function failureOf(refused: Refusals): Failure | undefined {
  const { moved, barred, readOnly, blocks } = refused;
  if (moved.length > 0) {
    return {
      kind: "conflict",
      message: `Changed since the model saw it: ${moved.join(", ")}.`,
      paths: moved,
    };
  }
  const [bar] = barred;
  if (bar !== undefined) {
    const paths = barred.map(({ path }) => path);
    return { kind: "out_of_scope", message: `${bar.path} is not written: ${bar.reason}.`, paths };
  }
  const [closed] = readOnly;
  if (closed !== undefined) {
    const paths = readOnly.map(({ path }) => path);
    return {
      kind: "tests_weakened",
      message: `${closed.path} is read-only: ${closed.reason}.`,
      paths,
    };
  }
  const [block] = blocks;
  if (block === undefined) return undefined;
  const more = blocks.length > 1 ? ` (and ${blocks.length - 1} more)` : "";
  return { kind: "apply", message: `${block.path}: ${block.reason}${more}.`, blocks };
}
