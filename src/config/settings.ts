import { isAbsolute, join } from "node:path";
import {
  isUsedLayer,
  type ConfigSource,
  type LayerFolder,
  type Problem,
  type Settings,
  type Sourced,
} from "../contracts/index.ts";
import { namesIn, readTextIn } from "../lib/folder-source.ts";
import { readShape, type ShapedDocument } from "../lib/shape.ts";
import {
  projectLimits,
  projectMay,
  settingRows,
  settingsShape,
  type SettingRow,
  type SettingsContent,
} from "./settings-shape.ts";

/** Settings with what is wrong in the files they come from. */
export interface LoadedSettings {
  readonly settings: Settings;
  /** Test commands that the project's `kit.yaml` names, trusted or not. */
  readonly projectCommands?: Sourced<readonly string[]>;
  /** Errors mean that no run may start; those of an unused project layer are warnings. */
  readonly problems: readonly Problem[];
  readonly sources: readonly ConfigSource[];
}

/** Plain values of settings, as flags give them. */
export type SettingValues = {
  readonly [K in keyof Settings]?: Settings[K]["value"] | undefined;
};

/**
 * Built-in settings ← the user's `kit.yaml` ← a trusted project's, per key and as far as the
 * project may. One without trust is checked, its limits too, and not used. Never throws for what
 * is on disk.
 */
export async function loadSettings(request: {
  readonly layers: readonly LayerFolder[];
}): Promise<LoadedSettings> {
  const files = await Promise.all(
    request.layers.filter((layer) => layer.layer !== "shipped").map(readLayer),
  );
  const givers = (isOf: (layer: LayerFolder) => boolean): readonly Giver[] =>
    files
      .filter(({ layer }) => isOf(layer))
      .flatMap(({ layer, read }) => read.map((file) => ({ ...file, layer })));
  const users = givers(({ layer }) => layer === "user");
  const projects = givers(({ layer }) => layer === "project");
  const trusted = projects.filter(({ layer }) => isUsedLayer(layer));
  const refused: Problem[] = [];
  const settings = mapSettings((row, name) => {
    const own = valueOf(row, users) ?? { value: row.builtIn, layer: "shipped" as const };
    const theirs = valueOf(row, trusted);
    const may = projectMay[name];
    if (theirs === undefined || may === undefined) return own;
    if (may === "offer") return own.layer === "user" ? own : theirs;
    if (may === "lower" && Number(theirs.value) > Number(own.value)) {
      const message = `a project may only lower it; it stays ${String(own.value)}`;
      refused.push(...trusted.map(({ shaped }) => shaped.problem("warning", row.path, message)));
      return own;
    }
    return theirs;
  });
  const commands = valueOf(settingRows.testCommands, projects);
  return {
    settings,
    ...(commands !== undefined && { projectCommands: commands }),
    problems: [...files.flatMap((file) => file.problems), ...refused],
    sources: files.flatMap((file) => file.sources),
  };
}

/** A file that gives settings, and whose it is. */
interface Giver {
  readonly layer: LayerFolder;
  readonly file: string;
  readonly shaped: ShapedDocument<SettingsContent>;
}

function valueOf<K extends keyof Settings>(
  row: SettingRow<K>,
  givers: readonly Giver[],
): Sourced<Settings[K]["value"]> | undefined {
  const giver = givers.findLast(({ shaped }) => row.read(shaped.value ?? {}) !== undefined);
  const value = giver && row.read(giver.shaped.value ?? {});
  if (giver === undefined || value === undefined) return undefined;
  const line = giver.shaped.lineOf(row.path);
  const { layer, file } = giver;
  return { value, layer: layer.layer, file, ...(line === undefined ? {} : { line }) };
}

/** The settings with flags on top; a flag that is not given (`undefined`) changes nothing. */
export function overrideSettings(settings: Settings, flags: SettingValues): Settings {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  const entries = given.map(([name, value]) => [name, { value, layer: "flags" as const }]);
  return { ...settings, ...(Object.fromEntries(entries) as Partial<Settings>) };
}

/** Calls `read` for each row; the table's own type keeps names and values together. */
function mapSettings(
  read: <K extends keyof Settings>(row: SettingRow<K>, name: K) => Sourced<Settings[K]["value"]>,
): Settings {
  const entries = Object.entries(settingRows).map(([name, row]) => [
    name,
    read(row as SettingRow<keyof Settings>, name as keyof Settings),
  ]);
  return Object.fromEntries(entries) as Settings;
}

interface LayerFile {
  readonly layer: LayerFolder;
  readonly read: readonly {
    readonly file: string;
    readonly shaped: ShapedDocument<SettingsContent>;
  }[];
  readonly problems: readonly Problem[];
  readonly sources: readonly ConfigSource[];
}

async function readLayer(layer: LayerFolder): Promise<LayerFile> {
  const present = new Set(await namesIn(layer, ""));
  const names = ["kit.yaml", "kit.yml", "kit.json"].filter((name) => present.has(name));
  const used = isUsedLayer(layer);
  const files = names.map((name) => join(layer.folder, name));
  const sources = files.map((file): ConfigSource => ({
    kind: "settings",
    layer: layer.layer,
    file,
    used,
  }));
  const [file, other] = files;
  const [name] = names;
  if (file === undefined || name === undefined) return { layer, read: [], problems: [], sources };
  if (other !== undefined) {
    const message = `${names.join(" and ")} both hold settings and are not merged: keep one of them`;
    return { layer, read: [], problems: unusable(other, message, used), sources };
  }
  const read = await readTextIn(layer, name);
  if (read.kind === "missing") return { layer, read: [], problems: [], sources: [] };
  if (read.kind === "unreadable") {
    return { layer, read: [], problems: unusable(file, read.reason, used), sources };
  }
  const shaped = readShape(settingsShape, read.text, file);
  const problems = [
    ...shaped.problems,
    ...(layer.layer === "project" ? limitProblems(shaped) : programProblems(shaped)),
  ].map((problem): Problem =>
    used || shaped.credentials.includes(problem) ? problem : { ...problem, severity: "warning" },
  );
  return { layer, read: [{ file, shaped }], problems, sources };
}

function unusable(file: string, message: string, used: boolean): readonly Problem[] {
  const severity = used ? "error" : "warning";
  return [{ severity, place: { file, line: 1, column: 1 }, message }];
}

/** A relative path would mean another program in each folder kit is started in. */
function programProblems(shaped: ShapedDocument<SettingsContent>): readonly Problem[] {
  const program = shaped.value?.adapters?.pi?.program;
  if (!program || isAbsolute(program) || !program.includes("/")) return [];
  const path = ["adapters", "pi", "program"];
  return [
    shaped.problem("error", path, "must be an absolute path or the name of a program on PATH"),
  ];
}

function limitProblems(shaped: ShapedDocument<SettingsContent>): readonly Problem[] {
  const written = (path: readonly string[]): boolean => valueAt(shaped.value, path) !== undefined;
  const named = projectLimits.filter(({ path }) => written(path));
  const others = Object.entries(settingRows)
    .filter(([name, { path }]) => projectMay[name as keyof Settings] === undefined && written(path))
    .map(([, { path }]) => path)
    .filter(
      (path) => !projectLimits.some((limit) => limit.path.every((key, at) => key === path[at])),
    )
    .map((path) => ({ path, why: "a project may not set it: it is the user's alone" }));
  return [...named, ...others].map(({ path, why }) => shaped.problem("warning", path, why));
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string, unknown>)[key]
        : undefined,
    value,
  );
}
