import type { ChangePlan } from "../../../src/contracts/index.ts";

/** The files a plan leaves of a tree of texts. */
export function treeAfter(
  before: Readonly<Record<string, string>>,
  plan: ChangePlan,
): Record<string, string> {
  const tree = { ...before };
  for (const operation of plan.operations) {
    if (operation.kind === "delete" || operation.kind === "rename") delete tree[operation.path];
    if (operation.kind === "delete") continue;
    const path = operation.kind === "rename" ? operation.to : operation.path;
    tree[path] = new TextDecoder("utf-8", { ignoreBOM: true }).decode(operation.after);
  }
  return tree;
}
