import { isDeepStrictEqual } from "node:util";
import { isMap, type Node, parseDocument, Scalar } from "yaml";
import { commentOf, entryOf } from "./bindings-text.ts";
import type { ProposedBinding } from "./propose-bindings.ts";

/** A file with the bindings put in, or why that is left to the user. */
export type MergedBindings = { readonly text: string } | { readonly refused: string };

/**
 * Puts bindings into the text of an existing YAML file of bindings. Every other key and every
 * comment stays; where that cannot be promised nothing is changed.
 */
export function mergeBindings(text: string, proposed: readonly ProposedBinding[]): MergedBindings {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) return { refused: "it is no valid YAML" };
  if (document.contents !== null && !isMap(document.contents)) return { refused: "it is no map" };
  const before = asRecord(document.toJS());
  const names = proposed.map(({ backend }) => backend);
  if (!isMap(document.get("backends"))) document.set("backends", document.createNode({}));
  const backends = document.get("backends");
  // A list in braces cannot hold comments.
  if (isMap(backends)) backends.flow = false;
  for (const each of proposed) {
    const value: Node = document.createNode(entryOf(each.model));
    const price = isMap(value) ? value.get("price") : undefined;
    if (isMap(price)) price.flow = true;
    const old = document.getIn(["backends", each.backend], true);
    if (old !== undefined) {
      document.setIn(["backends", each.backend], value);
      continue;
    }
    const key = new Scalar(each.backend);
    key.commentBefore = commentOf(each);
    if (isMap(backends)) backends.items.push(document.createPair(key, value));
  }
  const merged = document.toString({ lineWidth: 0 });
  const after = asRecord(parseDocument(merged).toJS());
  const isKept =
    isDeepStrictEqual(without(before, names), without(after, names)) &&
    names.every((name) => asRecord(after["backends"])[name] !== undefined);
  if (!isKept) return { refused: "its keys would not all stay as they are" };
  const lost = commentsOf(text).filter((comment) => !merged.includes(comment));
  return lost.length === 0 ? { text: merged } : { refused: "its comments would not all stay" };
}

/** Everything but the named backends. */
function without(content: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  const { backends, ...rest } = content;
  const kept = Object.entries(asRecord(backends)).filter(([name]) => !names.includes(name));
  return { ...rest, backends: Object.fromEntries(kept) };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** What looks like a comment: better one too many than one lost. */
function commentsOf(text: string): string[] {
  return text
    .split("\n")
    .flatMap((line) => /(?:^|\s)#\s*(.*\S)\s*$/.exec(line)?.[1] ?? [])
    .filter((comment) => comment !== "");
}
