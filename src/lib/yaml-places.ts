import { isAlias, isMap, isScalar, isSeq, visit, type Alias, type Document, type Node } from "yaml";

/** What each alias of a document stands for; `undefined` where there is no anchor before it. */
export type AliasTargets = ReadonlyMap<Alias, Node | undefined>;

/** All aliases in one pass: the library's own `Alias.resolve` walks the document for each. */
export function aliasTargets(document: Document.Parsed): AliasTargets {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node | undefined>();
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) targets.set(node, anchors.get(node.source));
      else if ("anchor" in node && typeof node.anchor === "string") anchors.set(node.anchor, node);
    },
  });
  return targets;
}

/** The node itself, or what it stands for. */
export function resolved(targets: AliasTargets, node: unknown): unknown {
  return isAlias(node) ? targets.get(node) : node;
}

/** True for the key `<<` of a merge, false for a quoted one. */
export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && typeof key.value === "symbol";
}

type Step = string | number;

/** A key or an item: where it starts, and what it holds. */
interface Found {
  readonly offset: number | undefined;
  readonly value: unknown;
}

/** The offset of the key (in a map) or item (in a list) at a path; the root's for the empty path. */
export function offsetOf(
  document: Document.Parsed,
  targets: AliasTargets,
  path: readonly Step[],
): number | undefined {
  let found: Found = { offset: document.contents?.range?.[0], value: document.contents };
  for (const step of path) {
    const next = child(targets, found.value, step);
    if (next === undefined) return undefined;
    found = next;
  }
  return found.offset;
}

function child(targets: AliasTargets, parent: unknown, step: Step): Found | undefined {
  const node = resolved(targets, parent);
  if (isSeq(node)) {
    const item = node.items[Number(step)] as Node | undefined;
    return item === undefined ? undefined : { offset: item.range?.[0], value: item };
  }
  if (!isMap(node)) return undefined;
  for (const { key, value } of node.items) {
    const name = resolved(targets, key);
    if (!isScalar(name) || String(name.value) !== String(step)) continue;
    return { offset: (key as Node).range?.[0], value };
  }
  // A key that came by `<<` stands in the map that was merged.
  for (const { key, value } of node.items) {
    if (!isMergeKey(key)) continue;
    const source = resolved(targets, value);
    for (const map of isSeq(source) ? source.items : [source]) {
      const found = child(targets, map, step);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
