import type { FileOperation, RepoPath } from "../../contracts/index.ts";
import { sha256 } from "../../lib/text.ts";
import type { Overlay } from "./overlay.ts";

/** What the overlay comes to: one effect per path, files that end as they began left out. */
export function operationsOf(overlay: Overlay): readonly FileOperation[] {
  const operations: FileOperation[] = [];
  const moved = new Set<RepoPath>();
  for (const [path, file] of overlay.planned) {
    const { origin, bytes: after, strategy } = file;
    if (origin === undefined) operations.push({ kind: "create", path, after, mode: file.mode });
    else if (origin.path !== path) {
      moved.add(origin.path);
      const rename = {
        kind: "rename",
        path: origin.path,
        to: path,
        before: origin.state,
        after,
      } as const;
      operations.push(strategy === undefined ? rename : { ...rename, strategy });
    } else if (sha256(after) !== origin.state.hash) {
      const common = { path, before: origin.state, after };
      operations.push(
        file.written === "edited"
          ? { kind: "edit", ...common, strategy: strategy ?? "exact" }
          : { kind: "write", ...common },
      );
    }
  }
  for (const [path, before] of overlay.removed) {
    if (!moved.has(path)) operations.push({ kind: "delete", path, before });
  }
  return operations;
}

/** Independent of the order of blocks and of how they were matched: paths and resulting bytes only. */
export function hashOf(operations: readonly FileOperation[]): string {
  const effects = operations.map((operation) => {
    const to = operation.kind === "rename" ? operation.to : operation.path;
    const after = "after" in operation ? sha256(operation.after) : "";
    const from = operation.kind === "rename" ? operation.path : "";
    return JSON.stringify([to, after, from]);
  });
  return sha256(effects.sort().join("\n"));
}
