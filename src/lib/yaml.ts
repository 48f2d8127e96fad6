import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
} from "yaml";

/** Something wrong in a YAML or JSON text; has the shape of a `Problem` of the contracts. */
export interface YamlProblem {
  readonly severity: "error" | "warning";
  readonly place: { readonly file: string; readonly line?: number; readonly column?: number };
  readonly message: string;
}

/** Where a key or an item starts; both count from 1. */
export interface YamlPlace {
  readonly line: number;
  readonly column: number;
}

export interface YamlText {
  /**
   * Maps as objects without a prototype, so that `toString` or `__proto__` are keys like any
   * other; lists as arrays. `undefined` where the text has an error, `null` where it is empty.
   */
  readonly value: unknown;
  readonly problems: readonly YamlProblem[];
  /** The place of the key (in a map) or item (in a list) at a path; aliases and merge keys are followed. */
  placeOf(path: readonly (string | number)[]): YamlPlace | undefined;
}

/** How often aliases may multiply what they stand for: ends "billion laughs". */
const maxAliasCount = 100;

/**
 * Reads one YAML 1.2 document; JSON is YAML too. A byte-order mark at the start is dropped, merge
 * keys (`<<`) are resolved, a key given twice is an error, alias bombs are refused. Never throws:
 * `problems` says what is wrong and where. `file` is only named in problems.
 */
export function parseYaml(text: string, file: string): YamlText {
  const lines = new LineCounter();
  const placeAt = (offset: number): YamlPlace => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problem = (
    severity: YamlProblem["severity"],
    offset: number,
    message: string,
  ): YamlProblem => ({ severity, place: { file, ...placeAt(offset) }, message });
  const broken = (problems: readonly YamlProblem[]): YamlText => ({
    value: undefined,
    problems,
    placeOf: () => undefined,
  });

  let document: Document.Parsed;
  try {
    document = parseDocument(readable(text, file), {
      lineCounter: lines,
      prettyErrors: false,
      merge: true,
      keepSourceTokens: false,
    });
  } catch (error) {
    return broken([problem("error", 0, `cannot be read: ${tooDeep(error)}`)]);
  }
  const problems = [
    ...document.errors.map((error) => problem("error", error.pos[0], sentence(error.message))),
    ...document.warnings.map((error) => problem("warning", error.pos[0], sentence(error.message))),
  ];
  if (document.errors.length > 0) return broken(problems);
  try {
    const value = withoutPrototypes(document.toJS({ mapAsMap: true, maxAliasCount }), new Map());
    return { value, problems, placeOf: (path) => placeOf(document, path, placeAt) };
  } catch (error) {
    return broken([...problems, problem("error", 0, `cannot be read: ${tooDeep(error)}`)]);
  }
}

/**
 * Without the byte-order mark; in JSON files a tab that indents becomes a space, as YAML forbids
 * what JSON allows. Columns stay what they were.
 */
function readable(text: string, file: string): string {
  const content = text.startsWith("\ufeff") ? text.slice(1) : text;
  if (!file.endsWith(".json")) return content;
  return content.replaceAll(/^[\t ]+/gm, (indent) => indent.replaceAll("\t", " "));
}

function tooDeep(error: unknown): string {
  if (error instanceof RangeError) return "it is nested too deeply";
  return error instanceof Error ? sentence(error.message) : String(error);
}

function sentence(message: string): string {
  return message.split("\n", 1)[0] ?? message;
}

function withoutPrototypes(value: unknown, done: Map<unknown, unknown>): unknown {
  if (typeof value !== "object" || value === null) return value;
  const known = done.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    done.set(value, list);
    for (const item of value) list.push(withoutPrototypes(item, done));
    return list;
  }
  if (!(value instanceof Map)) return value;
  const map = Object.create(null) as Record<string, unknown>;
  done.set(value, map);
  for (const [key, item] of value) map[keyText(key)] = withoutPrototypes(item, done);
  return map;
}

function keyText(key: unknown): string {
  return typeof key === "object" && key !== null ? JSON.stringify(key) : String(key);
}

/** Follows a path through the nodes; gives the key's place, not the value's. */
function placeOf(
  document: Document.Parsed,
  path: readonly (string | number)[],
  placeAt: (offset: number) => YamlPlace,
): YamlPlace | undefined {
  let node: Node | null | undefined = document.contents;
  let offset = node?.range?.[0];
  for (const step of path) {
    const found: Found | undefined = child(document, node, step);
    if (found === undefined) return undefined;
    offset = found.offset;
    node = found.value;
  }
  return offset === undefined ? undefined : placeAt(offset);
}

interface Found {
  readonly offset: number | undefined;
  readonly value: Node | null | undefined;
}

function child(
  document: Document.Parsed,
  parent: Node | null | undefined,
  step: string | number,
): Found | undefined {
  const node = isAlias(parent) ? parent.resolve(document) : parent;
  if (isSeq(node)) {
    const item = node.items[Number(step)] as Node | undefined;
    return item === undefined ? undefined : { offset: item.range?.[0], value: item };
  }
  if (!isMap(node)) return undefined;
  for (const { key, value } of node.items) {
    if (!isScalar(key) || String(key.value) !== String(step)) continue;
    return { offset: key.range?.[0], value: value as Node | null };
  }
  return merged(document, node.items, step);
}

function merged(
  document: Document.Parsed,
  items: readonly { readonly key: unknown; readonly value: unknown }[],
  step: string | number,
): Found | undefined {
  for (const { key, value } of items) {
    if (!isScalar(key) || key.source !== "<<") continue;
    const source = isAlias(value) ? value.resolve(document) : (value as Node);
    const maps = isSeq(source) ? (source.items as Node[]) : [source];
    for (const map of maps) {
      const found = child(document, map, step);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
