import { join, posix } from "node:path";
import {
  type ConfigSource,
  isUsedLayer,
  type Layer,
  type LayerFolder,
  type Problem,
  type Registry,
  type Sourced,
} from "../../contracts/index.ts";
import { didYouMean } from "../../lib/nearest-name.ts";
import { namesIn, readTextIn } from "../../lib/folder-source.ts";
import { readShape } from "../../lib/shape.ts";
import { type MergedEntry, mergeSection, type SectionLayer } from "../merge.ts";
import type { CountRange, TaskRule } from "./decide.ts";
import { classifyShape, type RuleContent } from "./shape.ts";

/** The rules of all used layers, in the order they are tried. */
export interface LoadedTaskRules {
  readonly rules: readonly Sourced<TaskRule>[];
  readonly problems: readonly Problem[];
  readonly sources: readonly ConfigSource[];
}

interface LayerRules {
  readonly section?: SectionLayer;
  readonly used: boolean;
  readonly problems: readonly Problem[];
  readonly sources: readonly ConfigSource[];
}

/**
 * Reads `classify.yaml` (or `.yml`, `.json`) of every layer and merges them key by key. Rules that
 * a higher layer speaks of come first, each layer's in the order of its file. A project layer that is
 * not trusted is checked and not used. Never throws for what is on disk.
 */
export async function loadTaskRules(request: {
  readonly layers: readonly LayerFolder[];
  readonly registry: Registry;
}): Promise<LoadedTaskRules> {
  const read = await Promise.all(request.layers.map(readLayer));
  const sections = read.flatMap(({ section, used }) => (section && used ? [section] : []));
  const merged = [...mergeSection(sections)].filter(([, { value }]) => value !== null);
  const faults = merged.flatMap(([name, entry]) => faultsOf(name, entry, request.registry));
  const wrong = new Set(
    faults.filter(({ problem }) => problem.severity === "error").map(({ name }) => name),
  );
  /** A capability that this machine disables is asked for by no rule. */
  const isOff = ({ value }: MergedEntry): boolean =>
    request.registry.disabled.has((value as RuleContent).capability ?? "");
  const order: readonly Layer[] = ["project", "user", "shipped"];
  const rules = order.flatMap((layer) =>
    merged
      .filter(([name, entry]) => !wrong.has(name) && !isOff(entry))
      .filter(([, { origin }]) => origin.from.layer === layer)
      .map(([name, entry]) => ruleOf(name, entry)),
  );
  return {
    rules,
    problems: [
      ...read.flatMap(({ problems }) => problems),
      ...faults.map(({ problem }) => problem),
    ],
    sources: read.flatMap(({ sources }) => sources),
  };
}

async function readLayer(from: LayerFolder): Promise<LayerRules> {
  const { layer, folder } = from;
  const below = layer === "shipped" ? "routing" : "";
  const present = new Set(await namesIn(from, below));
  const names = ["classify.yaml", "classify.yml", "classify.json"].filter((name) =>
    present.has(name),
  );
  const used = isUsedLayer(from);
  const severity = used ? "error" : "warning";
  const paths = names.map((name) => posix.join(below, name));
  const files = paths.map((path) => join(folder, path));
  const sources = files.map((file): ConfigSource => ({ kind: "classify", layer, file, used }));
  const [[path], [file, other]] = [paths, files];
  const unusable = (at: string, message: string): LayerRules => {
    const place = { file: at, line: 1, column: 1 };
    return { used, sources, problems: [{ severity, place, message }] };
  };
  if (path === undefined || file === undefined) return { used, problems: [], sources };
  if (other !== undefined) {
    return unusable(
      other,
      `${names.join(" and ")} both hold the rules of the ${layer} layer and are not merged: keep one of them`,
    );
  }
  const text = await readTextIn(from, path);
  if (text.kind === "missing") return { used, problems: [], sources: [] };
  if (text.kind === "unreadable") return unusable(file, text.reason);
  const shaped = readShape(classifyShape, text.text, file, {
    isName: (path) => path.length === 2,
  });
  const problems = shaped.problems.map((problem): Problem =>
    used || shaped.credentials.includes(problem) ? problem : { ...problem, severity: "warning" },
  );
  const entries = shaped.value?.rules;
  if (!entries) return { used, problems, sources };
  const section: SectionLayer = {
    layer,
    file,
    entries,
    lineOf: (path) => shaped.lineOf(["rules", ...path]),
    problem: (level, path, message) => shaped.problem(level, ["rules", ...path], message),
  };
  return { section, used, problems, sources };
}

/** What no single file can know: a rule without a capability, without a condition, or of no capability. */
function faultsOf(
  name: string,
  { value, origin, keys }: MergedEntry,
  registry: Registry,
): { readonly name: string; readonly problem: Problem }[] {
  const content = value as RuleContent;
  const report = (severity: Problem["severity"], path: readonly string[], message: string) => {
    const { from } = keys.get(path.join(".")) ?? origin;
    return [{ name, problem: from.problem(severity, [name, ...path], message) }];
  };
  const { capability } = content;
  if (!capability) return report("error", [], "names no capability");
  if (!registry.capabilities.has(capability) && !registry.disabled.has(capability)) {
    const hint = didYouMean(capability, [...registry.capabilities.keys()]);
    return report(
      "error",
      ["capability"],
      `no layer defines the capability "${capability}"${hint}`,
    );
  }
  const conditions = [
    content.keywords,
    content.globs,
    content.images,
    content.words,
    content.files,
  ];
  return conditions.every((condition) => condition === undefined || condition === null)
    ? report(
        "warning",
        [],
        "has no condition, so it is never used: keywords, globs, images, words, files",
      )
    : [];
}

function ruleOf(name: string, { value, origin }: MergedEntry): Sourced<TaskRule> {
  const { capability, keywords, globs, images, words, files } = value as RuleContent;
  return {
    value: {
      name,
      capability: capability ?? "",
      ...(keywords && { keywords }),
      ...(globs && { globs }),
      ...(typeof images === "boolean" && { images }),
      ...(words && { words: rangeOf(words) }),
      ...(files && { files: rangeOf(files) }),
    },
    layer: origin.from.layer,
    ...(origin.from.file !== undefined && { file: origin.from.file }),
    ...(origin.line !== undefined && { line: origin.line }),
  };
}

function rangeOf({ min, max }: NonNullable<RuleContent["words"]>): CountRange {
  return { ...(typeof min === "number" && { min }), ...(typeof max === "number" && { max }) };
}
