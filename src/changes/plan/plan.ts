import type { Change, ChangePlan, ChangeSet, Failure, RepoPath } from "../../contracts/index.ts";
import { sha256 } from "../../lib/text.ts";
import { checkWritePath } from "../paths.ts";
import type { TreeReader } from "../tree.ts";
import { editFile } from "./edit.ts";
import { fileBytes, modelLines, readFileText, type FileText } from "./file-text.ts";
import { hashOf, operationsOf } from "./operations.ts";
import { Overlay, type PlannedFile } from "./overlay.ts";
import { isPlaceholder } from "./placeholder.ts";
import { Refusals } from "./refusals.ts";
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

type Write = Change & { readonly kind: "write" };
type Edit = Change & { readonly kind: "edit" };

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

class Planner {
  private readonly overlay: Overlay;
  private readonly scope: WriteScope;
  private readonly refusals = new Refusals();
  private readonly alreadyApplied: { path: RepoPath; line: number }[] = [];

  constructor(tree: TreeReader, scope: WriteScope) {
    this.overlay = new Overlay(tree);
    this.scope = scope;
  }

  /** Plans one change on top of those before it; what does not fit is remembered. */
  async add(change: Change): Promise<void> {
    const allowed = [];
    for (const path of pathsOf(change)) allowed.push(await this.mayWrite(path, change));
    if (allowed.includes(false)) return;
    const file = await this.overlay.file(change.path);
    if (change.kind === "write") await this.write(change, file);
    else if (change.kind === "edit") await this.edit(change, file);
    else if (file === undefined)
      this.refusals.block(change, `there is no such file to ${change.kind}`);
    else if (change.kind === "delete") this.overlay.take(change.path, file);
    else await this.move(change, change.to, file);
  }

  async finish(): Promise<PlanResult> {
    const failure = this.refusals.failure();
    if (failure !== undefined) return { ok: false, failure };
    const operations = operationsOf(this.overlay);
    if (operations.length === 0) {
      const message = "The reply changes nothing: the files already hold what it says.";
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

  private async mayWrite(path: RepoPath, change: Change): Promise<boolean> {
    const allowed = checkWritePath(path, this.scope.named, this.scope.hookFolders);
    const readOnly = this.scope.readOnly(path);
    if (!allowed.ok) this.refusals.bar(path, allowed.reason);
    else if (readOnly !== undefined) this.refusals.close(path, readOnly);
    else if (!(await this.isAsSeen(path))) this.refusals.move(path);
    else {
      const obstacle = await this.overlay.obstacle(path);
      if (obstacle === undefined) return true;
      this.refusals.block(change, obstacle);
    }
    return false;
  }

  private async isAsSeen(path: RepoPath): Promise<boolean> {
    const hash = this.scope.seen?.get(path);
    if (hash === undefined) return true;
    const entry = await this.overlay.entry(path);
    return entry.kind === "file" && sha256(entry.bytes) === hash;
  }

  private async write(change: Write, file: PlannedFile | undefined): Promise<void> {
    const before = file === undefined ? emptyFile : this.read(change, file);
    if (before === undefined) return;
    if (file?.origin?.path === change.path && this.scope.newPaths.has(change.path)) {
      const reason = "the file exists by now; it was to be created, so it may only be edited";
      this.refusals.block(change, reason);
      return;
    }
    const lines = contentLines(change, before);
    if (this.refuseText(change, change.line, lines, before)) return;
    if (isShrunk(before, lines)) {
      const sizes = `${before.lines.length} lines become ${lines.length}`;
      this.refusals.block(change, `${sizes}: write the file whole, or change it with EDIT`);
      return;
    }
    await this.put(change, file, replaceWhole(before, lines), undefined);
  }

  private async edit(change: Edit, file: PlannedFile | undefined): Promise<void> {
    const { path, hunks, renameTo } = change;
    if (file === undefined && (hunks[0]?.search !== "" || renameTo !== undefined)) {
      this.refusals.block(change, "there is no such file to edit");
      return;
    }
    const before = file === undefined ? emptyFile : this.read(change, file);
    if (before === undefined) return;
    const refused = hunks.map((hunk) =>
      this.refuseText(change, hunk.line, modelLines(hunk.replace), before),
    );
    const result = editFile(path, before, hunks);
    this.refusals.add(result.problems);
    this.alreadyApplied.push(...result.alreadyApplied.map((line) => ({ path, line })));
    if (result.problems.length > 0 || refused.includes(true)) return;
    const edited = await this.put(change, file, result.file, result.strategy);
    if (edited !== undefined && renameTo !== undefined) await this.move(change, renameTo, edited);
  }

  /** Lays the new text of a file over the tree, or refuses it. */
  private async put(
    change: Write | Edit,
    file: PlannedFile | undefined,
    text: FileText,
    strategy: PlannedFile["strategy"],
  ): Promise<PlannedFile | undefined> {
    const { path } = change;
    const twin = file === undefined ? await this.overlay.caseTwin(path) : undefined;
    const bytes = fileBytes(text);
    if (twin !== undefined) {
      this.refusals.block(change, `differs from ${twin} in upper and lower case only`);
      return undefined;
    }
    if (bytes.length > maxFileBytes) {
      this.refusals.block(change, tooLarge);
      return undefined;
    }
    const base = file ?? { mode: newFileMode };
    const written = change.kind === "write" ? ("whole" as const) : ("edited" as const);
    const planned = { ...base, bytes, written, ...(strategy === undefined ? {} : { strategy }) };
    this.overlay.put(path, planned);
    return planned;
  }

  private async move(change: Change, to: RepoPath, file: PlannedFile): Promise<void> {
    const target = await this.overlay.entry(to);
    const twin = await this.overlay.caseTwin(to);
    if (target.kind !== "missing" || this.overlay.planned.has(to)) {
      this.refusals.block(change, `${to} exists; a rename does not overwrite`);
    } else if (twin !== undefined) {
      this.refusals.block(change, `${to} differs from ${twin} in upper and lower case only`);
    } else {
      this.overlay.take(change.path, file);
      this.overlay.put(to, file);
    }
  }

  private read(change: Change, file: PlannedFile): FileText | undefined {
    const reading = readFileText(file.bytes);
    if (file.bytes.length > maxFileBytes) this.refusals.block(change, tooLarge);
    else if (reading.ok) return reading.file;
    else this.refusals.block(change, reading.reason);
    return undefined;
  }

  /** Refuses new lines that are no text, or that stand for text left out where the old file has none such. */
  private refuseText(
    change: Change,
    line: number,
    lines: readonly string[],
    before: FileText,
  ): boolean {
    const broken = lines.find((text) => text.includes("\0") || !text.isWellFormed());
    const lazies = lines.filter((text) => isPlaceholder(text, change.path));
    if (broken !== undefined) {
      this.refusals.block(change, "the new text holds a NUL or half a character", line);
      return true;
    }
    const old = lazies.length === 0 ? new Set<string>() : textsOf(before);
    const lazy = lazies.find((text) => !old.has(text.trim()));
    if (lazy === undefined) return false;
    const reason = `the line "${lazy.trim()}" stands for text that was left out; write it out`;
    this.refusals.block(change, reason, line);
    return true;
  }
}

const tooLarge = `the file is larger than ${maxFileBytes / 1024 / 1024} MiB`;

function pathsOf(change: Change): readonly RepoPath[] {
  if (change.kind === "rename") return [change.path, change.to];
  const target = change.kind === "edit" ? change.renameTo : undefined;
  return target === undefined ? [change.path] : [change.path, target];
}

/** The lines to write. A comment that named the file counts only where the old file has it; a mark never. */
function contentLines(change: Write, before: FileText): readonly string[] {
  const lines = modelLines(change.content.replace(/^\uFEFF/, ""));
  const [first, second] = lines;
  if (change.isNamedByFirstLine !== true || first === undefined) return lines;
  if (textsOf(before).has(first.trim())) return lines;
  return lines.slice(second?.trim() === "" ? 2 : 1);
}

function textsOf(file: FileText): ReadonlySet<string> {
  return new Set(file.lines.map(({ text }) => text.trim()));
}
