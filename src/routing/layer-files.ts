import { basename, join, posix } from "node:path";
import {
  isUsedLayer,
  type ConfigSource,
  type Layer,
  type LayerFolder,
  type Problem,
} from "../contracts/index.ts";
import { namesIn, readTextIn } from "../lib/folder-source.ts";
import { readShape, type ShapedDocument, type ShapeOptions } from "../lib/shape.ts";
import type { SectionLayer } from "./merge.ts";
import {
  bindingKeys,
  bindingsShape,
  registryBackendKeys,
  registryShape,
  type BindingsFileContent,
  type RegistryFileContent,
} from "./shapes.ts";

type Kind = "registry" | "bindings";

/** Where each layer keeps what: folder inside the layer, then file stems, lower ones first. */
const filePlaces: Record<LayerFolder["layer"], Record<Kind, [folder: string, stems: string[]]>> = {
  shipped: { registry: ["routing", ["routing"]], bindings: ["adapters/pi", ["models"]] },
  user: {
    registry: ["", ["routing", "routing.local"]],
    bindings: ["", ["models", "models.local"]],
  },
  project: {
    registry: ["", ["routing", "routing.local"]],
    bindings: ["", ["models", "models.local"]],
  },
};

/** What the files of the given layers hold, section by section, lowest layer first. */
export interface LayerContents {
  readonly backends: readonly SectionLayer[];
  readonly capabilities: readonly SectionLayer[];
  readonly ladders: readonly SectionLayer[];
  readonly bindings: readonly SectionLayer[];
  readonly problems: readonly Problem[];
  /** The part of `problems` that is about credentials. */
  readonly credentials: readonly Problem[];
  readonly sources: readonly ConfigSource[];
}

/** Reads and checks every registry and bindings file of the layers. Throws for nothing on disk. */
export async function readLayers(layers: readonly LayerFolder[]): Promise<LayerContents> {
  const parts = await Promise.all(
    layers.flatMap((layer) => [readKind(layer, "registry"), readKind(layer, "bindings")]),
  );
  return {
    backends: parts.flatMap((part) => part.backends),
    capabilities: parts.flatMap((part) => part.capabilities),
    ladders: parts.flatMap((part) => part.ladders),
    bindings: parts.flatMap((part) => part.bindings),
    problems: parts.flatMap((part) => part.problems),
    credentials: parts.flatMap((part) => part.credentials),
    sources: parts.flatMap((part) => part.sources),
  };
}

const nothing: LayerContents = {
  backends: [],
  capabilities: [],
  ladders: [],
  bindings: [],
  problems: [],
  credentials: [],
  sources: [],
};

async function readKind(layer: LayerFolder, kind: Kind): Promise<LayerContents> {
  const [subfolder, stems] = filePlaces[layer.layer][kind];
  const paths = await findFiles(layer, subfolder, stems);
  const files = paths.map((path) => join(layer.folder, path));
  // Bindings belong to the machine, however much a project is trusted.
  const used = isUsedLayer(layer) && (layer.layer !== "project" || kind === "registry");
  const sources = files.map((file): ConfigSource => ({ kind, layer: layer.layer, file, used }));
  const clash = clashOf(files, stems, kind, layer.layer);
  if (clash) return { ...nothing, sources, problems: [clash] };
  const read = await Promise.all(paths.map((path) => readFile(layer, kind, path)));
  return {
    backends: read.flatMap((part) => part.backends),
    capabilities: read.flatMap((part) => part.capabilities),
    ladders: read.flatMap((part) => part.ladders),
    bindings: read.flatMap((part) => part.bindings),
    problems: read.flatMap((part) => part.problems),
    credentials: read.flatMap((part) => part.credentials),
    sources,
  };
}

async function findFiles(
  layer: LayerFolder,
  subfolder: string,
  stems: readonly string[],
): Promise<string[]> {
  const present = new Set(await namesIn(layer, subfolder));
  const names = stems.flatMap((stem) => [`${stem}.json`, `${stem}.yaml`, `${stem}.yml`]);
  return names.filter((name) => present.has(name)).map((name) => posix.join(subfolder, name));
}

/** Two files that would both be the same thing: the person must say which one counts. */
function clashOf(
  files: readonly string[],
  stems: readonly string[],
  kind: Kind,
  layer: Layer,
): Problem | undefined {
  const names = files.map((file) => basename(file));
  const json = names.find((name) => name.endsWith(".json"));
  const yaml = names.find((name) => !name.endsWith(".json"));
  const twice = stems.find(
    (stem) => names.includes(`${stem}.yaml`) && names.includes(`${stem}.yml`),
  );
  const pair = json && yaml ? [json, yaml] : twice ? [`${twice}.yml`, `${twice}.yaml`] : undefined;
  const file = files.find((name) => basename(name) === pair?.[0]);
  if (pair === undefined || file === undefined) return undefined;
  return {
    severity: "error",
    place: { file, line: 1, column: 1 },
    message: `${pair.join(" and ")} both hold the ${kind} of the ${layer} layer and are not merged: keep one of them`,
  };
}

async function readFile(from: LayerFolder, kind: Kind, path: string): Promise<LayerContents> {
  const { layer } = from;
  const file = join(from.folder, path);
  const read = await readTextIn(from, path);
  if (read.kind === "missing") return nothing;
  if (read.kind === "unreadable") {
    const place = { file, line: 1, column: 1 };
    return { ...nothing, problems: [{ severity: "error", place, message: read.reason }] };
  }
  const options: ShapeOptions = {
    isName: (path) => path.length === 2 || (path[0] === "escalation" && path.length === 3),
    unknownKey: (path) => unknownKey(kind, layer, path),
  };
  if (kind === "registry") {
    return registryContents(layer, file, readShape(registryShape, read.text, file, options));
  }
  const bindings = readShape(bindingsShape, read.text, file, options);
  return bindingsContents(layer, file, bindings);
}

/** What to say of a key that belongs into the other kind of file. */
function unknownKey(
  kind: Kind,
  layer: Layer,
  path: readonly (string | number)[],
): string | undefined {
  const key = String(path.at(-1));
  if (path.length === 1 && kind === "bindings" && ["capabilities", "ladders"].includes(key)) {
    return `belongs in a routing file, not among the bindings; it is not used here`;
  }
  if (path.length !== 3 || path[0] !== "backends") return undefined;
  if (kind === "registry" && bindingKeys.includes(key)) {
    return layer === "project"
      ? "a project may not bind models: bindings belong to the machine, in its models.local.yaml"
      : "belongs in models.local.yaml; it is not used here";
  }
  if (kind === "bindings" && registryBackendKeys.includes(key)) {
    return "belongs in a routing file; it is not used here";
  }
  return undefined;
}

function registryContents(
  layer: Layer,
  file: string,
  shaped: ShapedDocument<RegistryFileContent>,
): LayerContents {
  const section = sectionReader(layer, file, shaped);
  const content = shaped.value ?? {};
  const disabled = layer === "project" ? disabledIn(content) : [];
  const kept = (name: "backends" | "capabilities") =>
    Object.fromEntries(
      Object.entries(content[name] ?? {}).filter(
        ([key]) => !disabled.some((path) => path[0] === name && path[1] === key),
      ),
    );
  const refused = disabled.map((path) =>
    shaped.problem("warning", path, "a project may not disable it: that would switch steps off"),
  );
  return {
    ...nothing,
    backends: section(["backends"], kept("backends")),
    capabilities: section(["capabilities"], kept("capabilities")),
    ladders: [
      ...section(["escalation", "ladders"], content.escalation?.ladders),
      ...section(["ladders"], content.ladders),
    ],
    problems: [...shaped.problems, ...refused],
    credentials: shaped.credentials,
  };
}

/** Entries that are `null`: an agent without its capability is unavailable, reviewers among them. */
function disabledIn(content: RegistryFileContent): readonly (readonly [string, string])[] {
  return (["backends", "capabilities"] as const).flatMap((name) =>
    Object.entries(content[name] ?? {})
      .filter(([, entry]) => entry === null)
      .map(([key]) => [name, key] as const),
  );
}

function bindingsContents(
  layer: Layer,
  file: string,
  shaped: ShapedDocument<BindingsFileContent>,
): LayerContents {
  const section = sectionReader(layer, file, shaped);
  const limit: Problem = {
    severity: "warning",
    place: { file, line: 1, column: 1 },
    message:
      "a project may not bind models: bindings belong to the machine, in its models.local.yaml",
  };
  return {
    ...nothing,
    bindings: layer === "project" ? [] : section(["backends"], shaped.value?.backends),
    problems: layer === "project" ? [limit, ...shaped.problems] : shaped.problems,
    credentials: shaped.credentials,
  };
}

type SectionReader = (
  prefix: readonly string[],
  entries: Readonly<Record<string, unknown>> | null | undefined,
) => readonly SectionLayer[];

/** An empty section (`backends:` with nothing below) says nothing, it disables nothing. */
function sectionReader<T>(layer: Layer, file: string, shaped: ShapedDocument<T>): SectionReader {
  return (prefix, entries) => {
    if (!entries) return [];
    return [
      {
        layer,
        file,
        entries,
        lineOf: (path) => shaped.lineOf([...prefix, ...path]),
        problem: (severity, path, message) =>
          shaped.problem(severity, [...prefix, ...path], message),
      },
    ];
  };
}
