import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  memoryTree,
  parseReply,
  planChanges,
  type ParsedReply,
  type PlanResult,
} from "../src/changes/index.ts";
import { parseRepoPath, type Change, type RepoPath } from "../src/contracts/index.ts";

/** One block a reply is known to hold. */
interface ExpectedItem {
  readonly path: string;
  readonly kind: "whole" | "edit" | "create" | "delete" | "rename";
  /** A correct tool sees the block and does not write it. */
  readonly refuse?: string;
  /** To take it and to ask again are both fine. */
  readonly lenient?: string;
  readonly search?: string;
  readonly replace?: string;
  readonly content?: string;
}

interface Entry {
  readonly id: string;
  readonly format: string;
  readonly expected_verified: boolean;
  readonly chat_files?: readonly string[];
  readonly case?: unknown;
}

interface CaseFile {
  readonly verdict: "apply" | "reject" | "apply-or-reject";
  readonly compare: string;
  readonly expected: readonly ExpectedItem[];
  readonly root_hint?: string;
}

/** How one reply or case came out. `refused` carries the failure in words. */
export interface Score {
  readonly id: string;
  readonly format: string;
  readonly verified: boolean;
  readonly verdict: CaseFile["verdict"] | undefined;
  readonly result: "right" | "refused" | "wrong";
  readonly detail: string;
}

const anywhere = "/repository";

/** Scores every reply of a corpus against the blocks it is known to hold. */
export async function scoreReplies(folder: string): Promise<readonly Score[]> {
  const scores: Score[] = [];
  for (const entry of readIndex(folder)) {
    const reply = readFileSync(join(folder, "replies", `${entry.id}.md`), "utf8");
    const { items } = readJson(join(folder, "expected", `${entry.id}.json`)) as {
      items: readonly ExpectedItem[];
    };
    const rootHint = readCase(folder, entry.id)?.root_hint;
    const parsed = parseReply(reply, scopeOf(items, entry.chat_files ?? [], [], rootHint));
    const { result, detail } = await judgeReply(parsed, items);
    const { id, format, expected_verified: verified } = entry;
    scores.push({ id, format, verified, verdict: undefined, result, detail });
  }
  return scores;
}

/** Scores every case of a corpus: the tree a reply leaves against the tree it should leave. */
export async function scoreCases(folder: string): Promise<readonly Score[]> {
  const scores: Score[] = [];
  for (const entry of readIndex(folder)) {
    const known = readCase(folder, entry.id);
    if (known === undefined) continue;
    const place = join(folder, "cases", entry.id);
    const before = readTree(join(place, "before"));
    const reply = readFileSync(join(place, "reply.md"), "utf8");
    const scope = scopeOf(known.expected, [], Object.keys(before), known.root_hint);
    const parsed = parseReply(reply, scope);
    const planned = await plan(parsed, before);
    const after = planned.ok ? treeAfter(before, planned) : before;
    const isAsWished = isSameTree(after, readTree(join(place, "after")), before, known.compare);
    const { id, format, expected_verified: verified } = entry;
    const isRight = planned.ok ? isAsWished && known.verdict !== "reject" : false;
    const result = isRight ? "right" : planned.ok ? "wrong" : "refused";
    const detail = planned.ok
      ? strategiesOf(planned)
      : `${planned.failure.kind}: ${planned.failure.message}`;
    scores.push({ id, format, verified, verdict: known.verdict, result, detail });
  }
  return scores;
}

function readIndex(folder: string): readonly Entry[] {
  const lines = readFileSync(join(folder, "index.jsonl"), "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Entry);
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}

function readCase(folder: string, id: string): CaseFile | undefined {
  const file = join(folder, "cases", id, "case.json");
  return existsSync(file) ? (readJson(file) as CaseFile) : undefined;
}

function readTree(root: string): Record<string, Uint8Array> {
  const tree: Record<string, Uint8Array> = {};
  if (!existsSync(root)) return tree;
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    tree[path.slice(root.length + 1)] = readFileSync(path);
  }
  return tree;
}

function scopeOf(
  items: readonly ExpectedItem[],
  chatFiles: readonly string[],
  existing: readonly string[],
  rootHint: string | undefined,
): Parameters<typeof parseReply>[1] {
  const paths = new Map<RepoPath, "existing" | "new">();
  const add = (text: string, state: "existing" | "new"): void => {
    const parsed = parseRepoPath(text);
    if (parsed.ok && !paths.has(parsed.path)) paths.set(parsed.path, state);
  };
  for (const path of existing) add(path, "existing");
  for (const item of items) add(item.path, item.kind === "create" ? "new" : "existing");
  for (const path of chatFiles) add(path, "existing");
  return { paths, root: rootHint ?? anywhere, isTracked: () => false, mayCreate: () => false };
}

async function plan(parsed: ParsedReply, tree: Record<string, Uint8Array>): Promise<PlanResult> {
  if (!parsed.ok) return parsed;
  const scope = {
    named: new Set<string>(),
    newPaths: new Set<RepoPath>(),
    readOnly: () => undefined,
  };
  return planChanges(parsed.changeSet, memoryTree(tree), scope);
}

type Judgement = { readonly result: Score["result"]; readonly detail: string };

/** Compares what was read with what a reply is known to hold. */
async function judgeReply(parsed: ParsedReply, items: readonly ExpectedItem[]): Promise<Judgement> {
  const wanted = items.filter((item) => item.refuse === undefined && item.lenient === undefined);
  const mayRefuse = wanted.length < items.length || items.length === 0;
  if (!parsed.ok) {
    const detail = `${parsed.failure.kind}: ${parsed.failure.message}`;
    return { result: mayRefuse ? "right" : "refused", detail };
  }
  const { changes } = parsed.changeSet;
  if (items.some((item) => item.refuse !== undefined)) {
    // Elisions are seen by the planner, which needs no old file to see them.
    const planned = await plan(parsed, {});
    if (!planned.ok) return { result: "right", detail: planned.failure.message };
    return { result: "wrong", detail: "a block that must be refused was taken" };
  }
  const known = new Set(items.map((item) => item.path));
  const invented = changes.filter((change) => !known.has(change.path));
  if (invented.length > 0)
    return { result: "wrong", detail: `invented ${invented[0]?.path ?? ""}` };
  for (const path of new Set(wanted.map((item) => item.path))) {
    const change = changes.find((candidate) => candidate.path === path);
    const wish = items.filter((item) => item.path === path);
    const fault = change === undefined ? `${path} is missing` : faultOf(change, wish);
    if (fault !== undefined) return { result: "wrong", detail: fault };
  }
  return { result: "right", detail: "" };
}

function faultOf(change: Change, items: readonly ExpectedItem[]): string | undefined {
  const [first] = items;
  const { path } = change;
  if (change.kind === "write") {
    if (first?.kind !== "whole" && first?.kind !== "create")
      return `${path}: whole, not ${first?.kind ?? ""}`;
    const isSame = first.content === undefined || first.content === change.content;
    return isSame ? undefined : `${path}: other contents`;
  }
  if (change.kind !== "edit")
    return first?.kind === change.kind ? undefined : `${path}: ${change.kind}`;
  const creates = change.hunks[0]?.search === "";
  if (creates !== (first?.kind === "create")) return `${path}: edit, not ${first?.kind ?? ""}`;
  const wished = items.filter((item) => item.search !== undefined && item.search !== item.replace);
  if (wished.length === 0) return undefined;
  const text = (search: string, replace: string): string => JSON.stringify([search, replace]);
  const splits = change.hunks.map((hunk) =>
    [hunk, ...(hunk.alternatives ?? [])].map((split) => text(split.search, split.replace)),
  );
  const missing = wished.find(
    (item) => !splits.some((forms) => forms.includes(text(item.search ?? "", item.replace ?? ""))),
  );
  if (missing !== undefined) return `${path}: a hunk is missing or other`;
  const known = new Set(items.map((item) => text(item.search ?? "", item.replace ?? "")));
  const isStray = splits.some((forms) => !forms.some((form) => known.has(form)));
  return isStray ? `${path}: a hunk too many` : undefined;
}

function treeAfter(
  before: Record<string, Uint8Array>,
  planned: Extract<PlanResult, { ok: true }>,
): Record<string, Uint8Array> {
  const tree = { ...before };
  for (const operation of planned.plan.operations) {
    if (operation.kind === "delete" || operation.kind === "rename") delete tree[operation.path];
    if (operation.kind === "delete") continue;
    tree[operation.kind === "rename" ? operation.to : operation.path] = operation.after;
  }
  return tree;
}

function isSameTree(
  got: Record<string, Uint8Array>,
  wanted: Record<string, Uint8Array>,
  before: Record<string, Uint8Array>,
  compare: string,
): boolean {
  const paths = new Set([...Object.keys(got), ...Object.keys(wanted)]);
  return [...paths].every((path) => {
    const [a, b] = [got[path], wanted[path]].map((bytes) =>
      Buffer.from(bytes ?? []).toString("latin1"),
    );
    if (compare === "empty-or-absent" && (a ?? "").trim() === "" && (b ?? "").trim() === "")
      return true;
    if ((got[path] === undefined) !== (wanted[path] === undefined)) return false;
    const old = before[path];
    return normalize(a ?? "", compare, old) === normalize(b ?? "", compare, old);
  });
}

/**
 * Line ends of new files are free. So is the final one of a file that had none: the recorded trees
 * were made by a tool that adds it, kit keeps the file's way (rule 3 of the reply format).
 */
function normalize(text: string, compare: string, before: Uint8Array | undefined): string {
  const lines = (before === undefined ? text.replaceAll("\r\n", "\n") : text).split("\n");
  const hadNoEnd = before !== undefined && before.length > 0 && before.at(-1) !== 10;
  if (hadNoEnd && lines.at(-1) === "") lines.pop();
  if (compare === "ignore-trailing-ws") return lines.map((line) => line.trimEnd()).join("\n");
  if (compare === "ignore-indent") return lines.map((line) => line.trimStart()).join("\n");
  if (compare === "ignore-blank-lines")
    return lines.filter((line) => line.trim() !== "").join("\n");
  return lines.join("\n");
}

function strategiesOf(planned: Extract<PlanResult, { ok: true }>): string {
  return planned.plan.operations
    .map((operation) => ("strategy" in operation ? operation.strategy : operation.kind))
    .join(", ");
}
