import { basename } from "node:path";
import type { Agent, Layer, Problem, Registry } from "../contracts/index.ts";
import { didYouMean } from "../lib/nearest-name.ts";
import { readShape, type ShapedDocument } from "../lib/shape.ts";
import { agentShape, type AgentFrontmatter } from "./agent-shape.ts";
import { quoteColons } from "./colons.ts";
import { splitFrontmatter } from "./frontmatter.ts";

/** The names that an agent may refer to. */
export type KnownNames = Pick<Registry, "capabilities" | "disabled" | "ladders">;

/** What one file came to. An agent with errors is listed but never played; see `findAgent`. */
export interface AgentFile {
  readonly agent: Agent | undefined;
  readonly problems: readonly Problem[];
  /** The part of `problems` that is about credentials. */
  readonly credentials: readonly Problem[];
  /** Makes a problem about a key of the frontmatter; absent where there is none. */
  readonly problem?: (
    severity: Problem["severity"],
    path: readonly string[],
    message: string,
  ) => Problem;
}

/** Reads the text of one agent file. Never throws for what stands in it. */
export function readAgent(text: string, file: string, layer: Layer, known: KnownNames): AgentFile {
  const split = splitFrontmatter(text);
  const failed = (problem: Problem): AgentFile => ({
    agent: undefined,
    problems: [problem],
    credentials: [],
  });
  const place = { file, line: 1, column: 1 };
  if (split.kind === "none") {
    const message = "missing frontmatter, so this is not an agent; move it or start it with ---";
    return failed({ severity: "warning", place, message });
  }
  if (split.kind === "open") {
    const message = "missing frontmatter end: no line with --- alone closes it";
    return failed({ severity: "error", place, message });
  }
  const { yaml, warnings } = quoteColons(split.yaml, file);
  const shaped = readShape(agentShape, yaml, file, {
    unknownKey: (path) =>
      path.length === 1 ? `unknown key, kept as it is${nearKey(String(path[0]))}` : undefined,
  });
  const front = shaped.value;
  if (front === undefined) {
    return { agent: undefined, problems: [...warnings, ...shaped.problems], credentials: [] };
  }
  const problems = [
    ...warnings,
    ...shaped.problems,
    ...check(front, split.body, file, shaped, known),
  ];
  const unknownCapability = Boolean(front.capability) && !isDefined(front.capability, known);
  return {
    agent: unknownCapability ? undefined : agentOf(front, split.body, file, layer, shaped, known),
    problems,
    credentials: shaped.credentials,
    problem: shaped.problem,
  };
}

function nearKey(key: string): string {
  return didYouMean(key, Object.keys(agentShape.shape));
}

function isDefined(capability: string | null | undefined, known: KnownNames): boolean {
  return known.capabilities.has(capability ?? "") || known.disabled.has(capability ?? "");
}

function agentName(file: string): string {
  return basename(file, ".md");
}

function agentOf(
  front: AgentFrontmatter,
  body: string,
  file: string,
  layer: Layer,
  shaped: ShapedDocument<AgentFrontmatter>,
  known: KnownNames,
): Agent {
  const { access, execution, capability, ladder } = front;
  return {
    name: front.name ?? agentName(file),
    description: front.description?.trim() ?? "",
    access: {
      filesystem: access?.filesystem ?? "none",
      shell: access?.shell ?? "none",
      git: access?.git ?? "none",
      network: access?.network ?? false,
    },
    execution: (typeof execution === "string" ? execution : execution?.preferred_mode) ?? "oneshot",
    tools: toolNames(front.tools),
    other: shaped.unknown,
    body,
    layer,
    file,
    available: !known.disabled.has(capability ?? ""),
    ...(capability ? { capability } : {}),
    ...(ladder ? { ladder } : {}),
  };
}

function toolNames(tools: AgentFrontmatter["tools"]): readonly string[] {
  const list = Array.isArray(tools) ? (tools as string[]) : [];
  const names = typeof tools === "string" ? tools.split(",") : list;
  return names.map((name) => name.trim()).filter((name) => name !== "");
}

/** The rules that a shape cannot say. */
function check(
  front: AgentFrontmatter,
  body: string,
  file: string,
  shaped: ShapedDocument<AgentFrontmatter>,
  known: KnownNames,
): readonly Problem[] {
  const problems: Problem[] = [];
  const error = (key: string, message: string): void => {
    problems.push(shaped.problem("error", [key], message));
  };
  const reported = (key: string): boolean => shaped.problems.some((found) => found.key === key);
  const fileName = agentName(file);
  if (front.name && front.name !== fileName) error("name", `must equal the file name, ${fileName}`);
  for (const key of ["name", "description"] as const) {
    if (!front[key]?.trim() && !reported(key)) error(key, `an agent needs a ${key}`);
  }
  for (const key of ["model", "provider"] as const) {
    if (front[key] === undefined) continue;
    error(key, "agents name a capability, never a model: bind models in models.local.yaml");
  }
  const { capability, ladder } = front;
  if (capability && !isDefined(capability, known)) {
    const names = [...known.capabilities.keys()];
    const near = didYouMean(capability, names) || `; known are ${names.join(", ")}`;
    error("capability", `no layer defines capability "${capability}"${near}`);
  }
  if (ladder && !known.ladders.has(ladder)) {
    error(
      "ladder",
      `no layer defines ladder "${ladder}"${didYouMean(ladder, known.ladders.keys())}`,
    );
  }
  if (body === "") {
    const message = "empty system prompt: an agent needs text below its frontmatter";
    problems.push({ severity: "error", place: { file, line: 1, column: 1 }, message });
  }
  return problems;
}
