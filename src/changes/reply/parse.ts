import type { Change, ChangeSet, Failure, RepoPath } from "../../contracts/index.ts";
import { readCanonical } from "./canonical.ts";
import { changesOf } from "./change-set.ts";
import { failureOf } from "./draft.ts";
import { readLoose } from "./loose.ts";
import type { ReplyScope } from "./scope.ts";

/** A reply, read. `needs` are files it asked for that the pack already holds. */
export type ParsedReply =
  | { readonly ok: true; readonly changeSet: ChangeSet; readonly needs: readonly RepoPath[] }
  | {
      readonly ok: false;
      readonly failure: Failure;
      /** Changes of the blocks that could be read, for `mergeReask`. */
      readonly readable: readonly Change[];
    };

/**
 * Reads what a reply asks to change, in any dress a model gives it (docs/reply-format.md).
 * Takes the reply's text; looks at no file. Linear in the length of the reply.
 */
export function parseReply(reply: string, scope: ReplyScope): ParsedReply {
  const lines = linesOf(reply);
  if (lines.every((line) => line.trim() === "")) {
    return {
      ok: false,
      failure: { kind: "empty_reply", message: "The reply is empty." },
      readable: [],
    };
  }
  const draft = readCanonical(lines, scope) ?? readLoose(lines, scope);
  const { changes, format } = changesOf(draft);
  const failure = failureOf(draft);
  if (failure !== undefined) return { ok: false, failure, readable: changes };
  if (changes.length > 0) return { ok: true, changeSet: { changes, format }, needs: draft.needs };
  return { ok: false, failure: nothingFound(draft.needs), readable: [] };
}

function nothingFound(needs: readonly RepoPath[]): Failure {
  if (needs.length === 0) {
    return { kind: "format", message: "The reply holds no file block.", blocks: [] };
  }
  return {
    kind: "no_changes",
    message: `The reply only asks for files that it was given: ${needs.join(", ")}.`,
  };
}

/** Lines without their ends; a byte-order mark and CR before LF are the transport's, not content. */
function linesOf(reply: string): readonly string[] {
  const text = reply.startsWith("\uFEFF") ? reply.slice(1) : reply;
  const lines = (text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
