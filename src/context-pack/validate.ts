import type * as z from "zod/mini";
import { missing, type PackError } from "./pack-error.ts";
import { version1, version2 } from "./schema.ts";
import { sectionNamed, sectionRank } from "./sections.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** The version a JSON value says it is; anything but 2 is held against version 1. */
function versionOf(value: unknown): 1 | 2 {
  return isRecord(value) && value["version"] === 2 ? 2 : 1;
}

/**
 * Every error of the JSON form of a pack at once: missing fields first, then the rest in the
 * order of writing, keys that no field has last. None: the pack is valid.
 * @param version held against; default: what the value says of itself.
 */
export function validatePack(value: unknown, version: 1 | 2 = versionOf(value)): PackError[] {
  if (!isRecord(value)) return [{ field: "(root)", message: "must be an object" }];
  const parsed = (version === 2 ? version2 : version1).safeParse(value);
  const errors = parsed.success
    ? []
    : parsed.error.issues.flatMap((i) => tell(i, [], value, version));
  if (withoutFiles(value)) {
    errors.push({
      path: ["relevant_files"],
      message: 'must name at least one file, unless discovery is "none"',
    });
  }
  const rank = (error: Told): number => {
    const root = String(error.path[0]);
    if (error.path.length === 1 && error.message === missing) return sectionRank(root);
    return 1000 + sectionRank(root);
  };
  return errors
    .map((error, index) => ({ error, index, rank: rank(error) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ error }) => ({ field: fieldName(error.path), message: error.message }));
}

interface Told {
  readonly path: Path;
  readonly message: string;
}

function tell(issue: Issue, prefix: Path, root: unknown, version: 1 | 2): Told[] {
  const path = [...prefix, ...issue.path];
  const isAbsent = at(root, path) === undefined;
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: unknownKey(path, key, version),
    }));
  }
  if (issue.code === "invalid_union") return tellUnion(issue.errors, path, root, version);
  if (isAbsent) return [{ path, message: missing }];
  if (issue.code === "invalid_type") return [{ path, message: mustBe(issue.expected) }];
  if (issue.code === "invalid_value") {
    return [{ path, message: `must be one of: ${issue.values.map(String).join(", ")}` }];
  }
  return [{ path, message: issue.message }];
}

/** Of a union's branches, the one that came furthest says what is wrong. */
function tellUnion(
  branches: readonly Issue[][],
  path: Path,
  root: unknown,
  version: 1 | 2,
): Told[] {
  const value = at(root, path);
  if (value === undefined) return [{ path, message: missing }];
  const depth = (branch: readonly Issue[]): number =>
    branch.some((issue) => issue.path.length === 0 && issue.code !== "invalid_format") ? 0 : 1;
  const best = branches.toSorted((a, b) => depth(b) - depth(a))[0] ?? [];
  const told = best.flatMap((issue) => tell(issue, path, root, version));
  return depth(best) === 0 ? told.slice(0, 1) : told;
}

function unknownKey(path: Path, key: string, version: 1 | 2): string {
  const later = path.length === 0 && version === 1 && sectionNamed(key)?.since === 2;
  return later ? 'is a field of version 2: set "version" to 2' : "is an unknown key";
}

const words: Readonly<Record<string, string>> = {
  string: "must be a text",
  array: "must be a list",
  object: "must be an object",
  boolean: "must be true or false",
  int: "must be a whole number",
  number: "must be a number",
};

function mustBe(expected: string): string {
  return words[expected] ?? `must be ${expected}`;
}

function withoutFiles(value: Readonly<Record<string, unknown>>): boolean {
  const files = value["relevant_files"];
  const discovery = value["discovery"];
  const none = isRecord(discovery) && discovery["status"] === "none";
  return Array.isArray(files) && files.length === 0 && !none;
}

function at(root: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined,
    root,
  );
}

function fieldName(path: Path): string {
  return path.reduce<string>((field, key) => {
    if (typeof key === "number") return `${field}[${key}]`;
    return field === "" ? String(key) : `${field}.${String(key)}`;
  }, "");
}

/** An object that is neither null nor a list. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
