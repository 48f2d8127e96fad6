import { admit, newDraft, type Draft } from "./draft.ts";
import { closesFence, readFence } from "./fences.ts";
import { joinLines } from "./hunks.ts";
import { resolvePath, type ReplyScope } from "./scope.ts";

/** Reads a reply that has no canonical markers. */
export function readLoose(lines: readonly string[], scope: ReplyScope): Draft {
  const draft = newDraft();
  for (let at = 0; at < lines.length; at += 1) {
    const fence = readFence(lines[at] ?? "");
    if (fence === undefined) continue;
    const resolved = resolvePath(lines[at - 1] ?? "", scope);
    let end = at + 1;
    while (end < lines.length && !closesFence(lines[end] ?? "", fence)) end += 1;
    const path = resolved.kind === "listed" ? admit(draft, resolved, at) : undefined;
    if (path !== undefined) {
      if (end === lines.length) draft.unfinished = { line: at + 1, path };
      const content = joinLines(lines, at + 1, end);
      draft.blocks.push({ kind: "write", path, content, line: at + 1, dress: "fence" });
    }
    at = end;
  }
  return draft;
}
