import type * as z from "zod/mini";
import { credentialPaths } from "./credentials.ts";
import { didYouMean } from "./nearest-name.ts";
import { redact } from "./redaction.ts";
import { parseYaml } from "./yaml.ts";
import { explainSyntax } from "./yaml-explained.ts";

export type DocumentPath = readonly (string | number)[];

/** Something wrong in a document, at the line and column where it stands. */
export interface DocumentProblem {
  readonly severity: "error" | "warning";
  readonly place: { readonly file: string; readonly line?: number; readonly column?: number };
  readonly key?: string;
  readonly value?: string;
  readonly message: string;
}

/** A document as its shape reads it, with what is wrong in it. */
export interface ShapedDocument<T> {
  /** Wrong and unknown keys left out; `undefined` when the file is no map or no YAML at all. */
  readonly value: T | undefined;
  /** Keys at the top that the shape does not know, as they were read. */
  readonly unknown: Readonly<Record<string, unknown>>;
  readonly problems: readonly DocumentProblem[];
  /** The part of `problems` that is about credentials: errors whoever owns the file. */
  readonly credentials: readonly DocumentProblem[];
  /** Makes a problem about a key, with its place and its value as written. */
  readonly problem: MakeProblem;
  readonly lineOf: (path: DocumentPath) => number | undefined;
}

export type MakeProblem = (
  severity: DocumentProblem["severity"],
  path: DocumentPath,
  message: string,
) => DocumentProblem;

/** How a shape is applied. */
export interface ShapeOptions {
  /** What to say of an unknown key instead of the did-you-mean. */
  readonly unknownKey?: (path: DocumentPath) => string | undefined;
  /** True where a key is a name that a person chose, which may sound like a secret. */
  readonly isName?: (path: DocumentPath) => boolean;
}

/**
 * Reads YAML or JSON `text` by a zod shape made of strict objects. The message given to a part
 * of the shape says what is allowed there ("text", "one of a, b"). Unknown keys are warnings,
 * credentials errors that never show the value, everything else errors; `null` or nothing at
 * all is an empty map.
 */
export function readShape<S extends z.ZodMiniType>(
  shape: S,
  text: string,
  file: string,
  options: ShapeOptions = {},
): ShapedDocument<z.infer<S>> {
  const document = parseYaml(text, file);
  const root = document.value ?? {};
  const written = structuredClone(root);
  const problem = problemMaker(document, written, file);
  const result = {
    value: undefined,
    unknown: {},
    credentials: [],
    problem,
    lineOf: (path: DocumentPath) => document.placeOf(path)?.line,
  };
  const broken = explainSyntax(document.problems, text);
  if (broken) return { ...result, problems: [broken] };
  if (!isMap(root)) {
    const noMap = problem("error", [], "must be a map of keys");
    return { ...result, problems: [...document.problems, noMap] };
  }
  // Taken out before any message is made, so that none can show them.
  const secrets = credentialPaths(root, options.isName);
  for (const path of secrets) remove(written as Record<string, unknown>, path);
  const credentials = secrets.map((path) =>
    problem("error", path, "no credentials here: they belong to the program that signs in"),
  );
  const kept = structuredClone(written) as Record<string, unknown>;
  const first = shape.safeParse(kept);
  const issues = first.error?.issues ?? [];
  const unknown = unknownAtTop(issues, kept);
  const shaped = issues.flatMap((issue) => describe(issue, kept, shape, problem, options));
  for (const issue of issues) prune(kept, issue);
  const again = first.success ? first : shape.safeParse(kept);
  return {
    ...result,
    unknown,
    problems: [...document.problems, ...credentials, ...shaped],
    credentials,
    ...(again.success ? { value: again.data } : {}),
  };
}

function problemMaker(
  document: ReturnType<typeof parseYaml>,
  written: unknown,
  file: string,
): MakeProblem {
  return (severity, path, message) => {
    const place = nearestPlace(document, path);
    const value = asWritten(at(written, path));
    return {
      severity,
      place: { file, ...(place ? { line: place.line, column: place.column } : {}) },
      ...(path.length === 0 ? {} : { key: path.join(".") }),
      ...(value === undefined ? {} : { value }),
      message,
    };
  };
}

/** The place of a key, or of the innermost map around one that is missing. */
function nearestPlace(
  document: ReturnType<typeof parseYaml>,
  path: DocumentPath,
): ReturnType<typeof document.placeOf> {
  for (let length = path.length; length >= 0; length -= 1) {
    const place = document.placeOf(path.slice(0, length));
    if (place !== undefined) return place;
  }
  return undefined;
}

type Issue = z.core.$ZodIssue;

/** One problem for each thing an issue is about. */
function describe(
  issue: Issue,
  root: Record<string, unknown>,
  shape: z.ZodMiniType,
  problem: MakeProblem,
  options: ShapeOptions,
): readonly DocumentProblem[] {
  const path = issue.path.filter((part) => typeof part !== "symbol");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const known = knownKeys(shape, path);
      const message =
        options.unknownKey?.([...path, key]) ?? `unknown key${didYouMean(key, known)}`;
      return problem("warning", [...path, key], message);
    });
  }
  if (issue.code === "invalid_key") {
    const allowed = issue.issues[0]?.message ?? "another name";
    return [
      problem("error", path, `the name ${JSON.stringify(path.at(-1))} is not allowed: ${allowed}`),
    ];
  }
  const value = at(root, path);
  const near =
    issue.code === "invalid_value" && typeof value === "string"
      ? didYouMean(
          value,
          issue.values.filter((known) => typeof known === "string"),
        )
      : "";
  return [problem("error", path, `must be ${issue.message}${near}`)];
}

/** The keys a map at `path` may have, read from the shape itself. */
function knownKeys(shape: z.ZodMiniType, path: DocumentPath): readonly string[] {
  let current: z.core.$ZodType = shape;
  for (const step of [...path, undefined]) {
    let { def } = current._zod as z.core.$ZodTypes["_zod"];
    while (def.type === "optional" || def.type === "nullable") {
      ({ def } = def.innerType._zod as z.core.$ZodTypes["_zod"]);
    }
    if (step === undefined) return def.type === "object" ? Object.keys(def.shape) : [];
    if (def.type === "record") current = def.valueType;
    else if (def.type === "array") current = def.element;
    else if (def.type !== "object") return [];
    else {
      const inner = Object.hasOwn(def.shape, step) ? def.shape[step] : undefined;
      if (inner === undefined) return [];
      current = inner;
    }
  }
  return [];
}

function unknownAtTop(
  issues: readonly Issue[],
  root: Record<string, unknown>,
): Readonly<Record<string, unknown>> {
  const keys = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" && issue.path.length === 0 ? issue.keys : [],
  );
  return Object.fromEntries(keys.map((key) => [key, root[key]]));
}

/** Takes away what an issue is about; a list with a wrong item goes as a whole. */
function prune(root: Record<string, unknown>, issue: Issue): void {
  const path = issue.path.filter((part) => typeof part !== "symbol");
  if (issue.code === "unrecognized_keys") {
    for (const key of issue.keys) remove(root, [...path, key]);
    return;
  }
  const item = path.findIndex((part) => typeof part === "number");
  remove(root, item === -1 ? path : path.slice(0, item));
}

function remove(root: Record<string, unknown>, path: DocumentPath): void {
  const parent = at(root, path.slice(0, -1));
  const key = path.at(-1);
  if (key === undefined || typeof parent !== "object" || parent === null) return;
  if (Array.isArray(parent)) remove(root, path.slice(0, -1));
  else delete (parent as Record<string, unknown>)[key];
}

function at(root: unknown, path: DocumentPath): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

/** A value as a message shows it: short, on one line, masked. Maps would say too much. */
function asWritten(value: unknown): string | undefined {
  if (value === undefined || isMap(value)) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const line = redact(text).replaceAll(/\s+/g, " ");
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
