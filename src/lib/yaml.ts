import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type YAMLMap,
} from "yaml";
import { aliasTargets, isMergeKey, offsetOf, resolved, type AliasTargets } from "./yaml-places.ts";

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

/** Something wrong at an offset of the text. */
interface Fault {
  readonly severity: YamlProblem["severity"];
  readonly offset: number;
  readonly message: string;
}

/** How often aliases may multiply what they stand for: ends "billion laughs". */
const maxAliasCount = 100;

/**
 * Reads one YAML 1.2 document; JSON is YAML too, and a file named `.json` has to be JSON. A
 * byte-order mark at the start is dropped, merge keys (`<<`) are resolved, a key given twice is
 * an error, alias bombs and aliases inside what they name are refused. Never throws: `problems`
 * says what is wrong and where. `file` is only named.
 */
export function parseYaml(text: string, file: string): YamlText {
  const content = text.startsWith("\ufeff") ? text.slice(1) : text;
  const lines = new LineCounter();
  const placeAt = (offset: number): YamlPlace => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const { faults, value, offset } = readSafely(content, lines, file.endsWith(".json"));
  return {
    value,
    problems: faults.map(({ severity, offset, message }) => ({
      severity,
      place: { file, ...placeAt(offset) },
      message,
    })),
    placeOf(path) {
      const at = offset?.(path);
      return at === undefined ? undefined : placeAt(at);
    },
  };
}

interface Reading {
  readonly faults: readonly Fault[];
  readonly value: unknown;
  /** Of a key or item; only where there is no error. */
  readonly offset?: (path: readonly (string | number)[]) => number | undefined;
}

/** The library walks the text by recursion, which a text of brackets exhausts. */
function readSafely(content: string, lineCounter: LineCounter, isJson: boolean): Reading {
  try {
    return read(content, lineCounter, isJson);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return { faults: [error(0, "is nested too deeply")], value: undefined };
  }
}

function read(content: string, lineCounter: LineCounter, isJson: boolean): Reading {
  const document = parseDocument(content, {
    lineCounter,
    prettyErrors: false,
    merge: true,
    // The library compares each key with each other one; `duplicateKeys` takes 1,000 times less.
    uniqueKeys: false,
    // `!!set` and its kin would make other things than maps, lists and plain values.
    resolveKnownTags: false,
  });
  const syntax = syntaxFaults(document);
  if (syntax.length > 0) return { faults: syntax, value: undefined };
  const warnings = document.warnings.map(({ pos, message }): Fault => ({
    severity: "warning",
    offset: pos[0],
    message,
  }));
  const targets = aliasTargets(document);
  const structure = structureFaults(document, targets);
  if (isJson) structure.push(...jsonFaults(content));
  if (structure.length > 0) return { faults: [...structure, ...warnings], value: undefined };
  try {
    const value = plain(document.toJS({ mapAsMap: true, maxAliasCount }), new Map());
    return { faults: warnings, value, offset: (path) => offsetOf(document, targets, path) };
  } catch (error) {
    return { faults: [conversionFault(document, error), ...warnings], value: undefined };
  }
}

function syntaxFaults(document: Document.Parsed): readonly Fault[] {
  const faults = document.errors.map(({ pos, code, message }): Fault => {
    if (message.startsWith("Maximum call stack")) return error(pos[0], "is nested too deeply");
    if (code === "MULTIPLE_DOCS")
      return error(pos[0], "a second document starts here; one is allowed");
    if (message.startsWith("Missing closing")) return error(openQuote(document, pos[0]), message);
    return error(pos[0], message);
  });
  // First, as the rest is how the library came back from there.
  const tooDeep = faults.find(({ message }) => message === "is nested too deeply");
  return tooDeep === undefined
    ? faults
    : [tooDeep, ...faults.filter(({ message }) => message !== tooDeep.message)];
}

function error(offset: number, message: string): Fault {
  return { severity: "error", offset, message };
}

/** Where the quote was opened that is not closed at `end`. */
function openQuote(document: Document.Parsed, end: number): number {
  let start = end;
  visit(document, {
    Scalar(_, { type, range }) {
      const isQuoted = type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE";
      if (isQuoted && range && range[0] < end) start = range[0];
    },
  });
  return start;
}

/** What the grammar allows and we do not. */
function structureFaults(document: Document.Parsed, targets: AliasTargets): Fault[] {
  const faults: Fault[] = [];
  visit(document, {
    Map(_, map) {
      faults.push(...duplicateKeys(map, targets));
    },
    Pair(_, { key, value }) {
      if (!isMergeKey(key) || isMergeSource(value, targets)) return;
      faults.push(error(offsetOfKey(key), "<< takes a map, an alias of one, or a list of them"));
    },
    Alias(_, alias) {
      if (targets.get(alias) !== undefined) return;
      const message = `*${alias.source} stands for nothing: no &${alias.source} before it`;
      faults.push(error(alias.range?.[0] ?? 0, message));
    },
  });
  return faults.sort((one, other) => one.offset - other.offset);
}

/** Keys are compared as the text they become: `1` and `"1"` are the same. */
function duplicateKeys(map: YAMLMap, targets: AliasTargets): readonly Fault[] {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  for (const { key } of map.items) {
    const scalar = resolved(targets, key);
    if (!isScalar(scalar)) continue;
    const name = isMergeKey(scalar) ? "<<" : String(scalar.value);
    if (seen.has(name)) faults.push(error(offsetOfKey(key), "Map keys must be unique"));
    seen.add(name);
  }
  return faults;
}

function offsetOfKey(key: unknown): number {
  return (isScalar(key) || isAlias(key) ? key.range?.[0] : undefined) ?? 0;
}

function isMergeSource(value: unknown, targets: AliasTargets): boolean {
  const source = resolved(targets, value);
  // An alias that stands for nothing is told by itself.
  if (isMap(source) || (isAlias(value) && source === undefined)) return true;
  return (
    isSeq(source) && source.items.every((item) => !isSeq(item) && isMergeSource(item, targets))
  );
}

/** JSON with comments or the like would be read as YAML, and silently as something else. */
function jsonFaults(content: string): readonly Fault[] {
  try {
    if (content.trim() !== "") JSON.parse(content);
    return [];
  } catch (thrown) {
    const position = /at position (\d+)/.exec(String(thrown))?.[1];
    return [
      error(
        Number(position ?? 0),
        "this is not JSON: comments and trailing commas are not allowed",
      ),
    ];
  }
}

class CycleError extends Error {}

function conversionFault(document: Document.Parsed, thrown: unknown): Fault {
  let last = 0;
  visit(document, { Alias: (_, alias) => void (last = alias.range?.[0] ?? last) });
  if (thrown instanceof CycleError) return error(last, "an alias stands inside what it names");
  if (thrown instanceof ReferenceError) return error(last, "aliases multiply to more than is read");
  throw thrown;
}

/** Maps as objects without a prototype. What aliases share stays shared. */
function plain(value: unknown, done: Map<unknown, unknown>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (done.has(value)) {
    const known = done.get(value);
    if (known === undefined) throw new CycleError();
    return known;
  }
  done.set(value, undefined);
  const result = Array.isArray(value)
    ? value.map((item) => plain(item, done))
    : plainMap(value as Map<unknown, unknown>, done);
  done.set(value, result);
  return result;
}

function plainMap(map: Map<unknown, unknown>, done: Map<unknown, unknown>): object {
  const result = Object.create(null) as Record<string, unknown>;
  for (const [key, item] of map) {
    result[typeof key === "object" && key !== null ? JSON.stringify(key) : String(key)] = plain(
      item,
      done,
    );
  }
  return result;
}
