import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import type { Problem } from "../../src/contracts/index.ts";
import { readAgent } from "../../src/agents/agent-file.ts";
import { quoteColons } from "../../src/agents/colons.ts";
import { splitFrontmatter } from "../../src/agents/frontmatter.ts";
import { parseYaml } from "../../src/lib/yaml.ts";
import { vectorsOf, viewedAs, type Views } from "../support/vectors.ts";
import { agentsOf, capabilities, knownNames } from "./support.ts";

const frontmatter = vectorsOf("frontmatter");
const agents = vectorsOf("agents");
/** Defined by the shipped registry; vectors that list capabilities mean that these are disabled. */
const shipped = ["cheap-code", "strong-code", "deep-review", "vision-reasoning"];

/** A file as the reader of frontmatter sees it. */
interface Head {
  readonly file: string;
  readonly text: string;
}

const frontmatterViews: Views<Head> = {
  meta: ({ file, text }) => {
    const split = splitFrontmatter(text);
    if (split.kind !== "split") return split.kind;
    return structuredClone(parseYaml(quoteColons(split.yaml, file).yaml, file).value);
  },
  body: ({ text }) => {
    const split = splitFrontmatter(text);
    return split.kind === "split" ? split.body : split.kind;
  },
  error: ({ file, text }, wanted: string | { line: number; key?: string }) => {
    const { agent, problems } = readAgent(text, file, "user", capabilities);
    const [problem, ...more] = problems;
    if (agent || !problem || more.length > 0 || problem.place.file !== file) return problems;
    if (typeof wanted === "string") return problem.message.includes(wanted) ? wanted : problem;
    const { line } = problem.place;
    return wanted.key === undefined ? { line } : { line, key: problem.key };
  },
};

describe.skipIf(frontmatter === undefined)("the vectors of frontmatter", () => {
  test.for(frontmatter ?? [])("$id: $why", ({ input, expect: expected }) => {
    const head = input as unknown as Head;

    expect(viewedAs(frontmatterViews, head, expected)).toEqual(expected);
  });
});

describe.skipIf(agents === undefined)("the vectors of agents", () => {
  test.for(agents ?? [])("$id: $why", async ({ input, expect: expected }) => {
    const { files, capabilities: named } = input as {
      files: Record<string, string>;
      capabilities: string[] | { defined: string[]; disabled: string[] };
    };
    const defined = Array.isArray(named) ? named : named.defined;
    const disabled = Array.isArray(named)
      ? shipped.filter((name) => !defined.includes(name))
      : named.disabled;
    const loaded = await agentsOf({ user: files }, knownNames(defined, disabled));

    const available = loaded.agents.filter((agent) => agent.available);
    expect(available.map((agent) => agent.name)).toEqual(expected["agents"]);
    const errors = loaded.problems.filter((problem) => problem.severity === "error");
    const about = expected["errorsAbout"] as readonly string[];
    expect(errors.map(textOf)).toHaveLength(about.length);
    for (const one of about) {
      const [who = "", what = ""] = one.split(": ");
      expect(errors.filter((error) => isAbout(error, who)).map(textOf)).toContainEqual(
        expect.stringContaining(what),
      );
    }
  });
});

function isAbout(problem: Problem, who: string): boolean {
  return basename(problem.place.file, ".md") === basename(who, ".md");
}

function textOf({ key, value, message }: Problem): string {
  return `${key} ${value} ${message}`;
}
