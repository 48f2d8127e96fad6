import { readdir } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { ConfigSource, LayerFolder, Problem, Settings, Sourced } from "../contracts/index.ts";
import { readShape, type ShapedDocument } from "../lib/shape.ts";
import { readTextFile } from "../lib/text-file.ts";
import {
  projectLimits,
  settingRows,
  settingsShape,
  type SettingRow,
  type SettingsContent,
} from "./settings-shape.ts";

/** Settings with what is wrong in the files they come from. */
export interface LoadedSettings {
  readonly settings: Settings;
  /** Errors mean that no run may start; those of an unused project layer are warnings. */
  readonly problems: readonly Problem[];
  readonly sources: readonly ConfigSource[];
}

/** Plain values of settings, as flags give them. */
export type SettingValues = {
  readonly [K in keyof Settings]?: Settings[K]["value"] | undefined;
};

/**
 * Built-in settings ← the user's `kit.yaml`, per key. The project's `kit.yaml` is checked, its
 * limits too, and not used. Never throws for what is on disk.
 */
export async function loadSettings(request: {
  readonly layers: readonly LayerFolder[];
}): Promise<LoadedSettings> {
  const files = await Promise.all(
    request.layers.filter((layer) => layer.layer !== "shipped").map(readLayer),
  );
  const used = files.filter((file) => file.layer.layer !== "project").flatMap((file) => file.read);
  return {
    settings: mapSettings((row) => {
      const giver = used.findLast(({ shaped }) => row.read(shaped.value ?? {}) !== undefined);
      const value = giver && row.read(giver.shaped.value ?? {});
      if (giver === undefined || value === undefined)
        return { value: row.builtIn, layer: "shipped" };
      const line = giver.shaped.lineOf(row.path);
      return { value, layer: "user", file: giver.file, ...(line === undefined ? {} : { line }) };
    }),
    problems: files.flatMap((file) => file.problems),
    sources: files.flatMap((file) => file.sources),
  };
}

/** The settings with flags on top; a flag that is not given (`undefined`) changes nothing. */
export function overrideSettings(settings: Settings, flags: SettingValues): Settings {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  const entries = given.map(([name, value]) => [name, { value, layer: "flags" as const }]);
  return { ...settings, ...(Object.fromEntries(entries) as Partial<Settings>) };
}

/** Calls `read` for each row; the table's own type keeps names and values together. */
function mapSettings(
  read: <K extends keyof Settings>(row: SettingRow<K>) => Sourced<Settings[K]["value"]>,
): Settings {
  const entries = Object.entries(settingRows).map(([name, row]) => [
    name,
    read(row as SettingRow<keyof Settings>),
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
  const present = new Set(await readdir(layer.folder).catch(() => []));
  const names = ["kit.yaml", "kit.yml", "kit.json"].filter((name) => present.has(name));
  const used = layer.layer !== "project";
  const files = names.map((name) => join(layer.folder, name));
  const sources = files.map((file): ConfigSource => ({
    kind: "settings",
    layer: layer.layer,
    file,
    used,
  }));
  const [file, other] = files;
  if (file === undefined) return { layer, read: [], problems: [], sources };
  if (other !== undefined) {
    const message = `${names.join(" and ")} both hold settings and are not merged: keep one of them`;
    return { layer, read: [], problems: unusable(other, message, used), sources };
  }
  const read = await readTextFile(file);
  if (read.kind === "missing") return { layer, read: [], problems: [], sources: [] };
  if (read.kind === "unreadable") {
    return { layer, read: [], problems: unusable(file, read.reason, used), sources };
  }
  const shaped = readShape(settingsShape, read.text, file);
  const problems = [
    ...shaped.problems,
    ...(used ? programProblems(shaped) : limitProblems(shaped)),
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
  return projectLimits
    .filter(({ path }) => valueAt(shaped.value, path) !== undefined)
    .map(({ path, why }) => shaped.problem("warning", path, why));
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
