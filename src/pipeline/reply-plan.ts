import type { BlockProblem, ChangeSet, Failure } from "../contracts/index.ts";
import {
  type diskTree,
  mergeReask,
  parseReply,
  planChanges,
  type ReplyScope,
  type WriteScope,
} from "../changes/index.ts";
import { type ObjectionFacts, objectionTo, type Planned } from "./objections.ts";

/** Changes of a reply of which some could not be read or did not fit: those are asked for again. */
export interface Pending {
  readonly changeSet: ChangeSet;
  readonly failed: readonly Pick<BlockProblem, "path" | "line">[];
}

/** What became of a reply; `pending`: what of it is kept for the next one. */
export type PlanRead =
  | { readonly ok: true; readonly value: Planned }
  | { readonly ok: false; readonly failure: Failure; readonly pending?: Pending };

/** What a reply is held against. */
export interface PlanGround {
  readonly tree: ReturnType<typeof diskTree>;
  readonly replyScope: ReplyScope;
  readonly writeScope: WriteScope;
  readonly objections: ObjectionFacts;
  /** Keeps what stands at paths that a change is about to be planned for. */
  readonly see: (paths: readonly string[]) => Promise<void>;
}

/** From a coder's reply to a plan that is worth trying. Changes nothing. */
export async function readPlan(
  reply: string,
  pending: Pending | undefined,
  { tree, replyScope, writeScope, objections, see }: PlanGround,
): Promise<PlanRead> {
  const parsed = parseReply(reply, replyScope);
  if (!parsed.ok) {
    if (parsed.failure.kind !== "format" || parsed.readable.length === 0) return parsed;
    const changeSet: ChangeSet = { changes: parsed.readable, format: "partial" };
    return { ...parsed, pending: { changeSet, failed: parsed.failure.blocks } };
  }
  const merged =
    pending === undefined
      ? parsed
      : mergeReask(pending.changeSet, parsed.changeSet, pending.failed);
  if (!merged.ok) return merged;
  const { changeSet } = merged;
  await see(pathsIn(changeSet));
  const planned = await planChanges(changeSet, tree, writeScope);
  if (!planned.ok) {
    if (planned.failure.kind !== "apply") return planned;
    return { ...planned, pending: { changeSet, failed: planned.failure.blocks } };
  }
  const failure = await objectionTo(planned, objections);
  return failure === undefined ? { ok: true, value: planned } : { ok: false, failure };
}

function pathsIn({ changes }: ChangeSet): readonly string[] {
  return changes.flatMap((change) => {
    const to = change.kind === "rename" ? change.to : change.kind === "edit" && change.renameTo;
    return to ? [change.path, to] : [change.path];
  });
}
