import * as z from "zod/mini";

const text = z.string("text");
const maybe = <S extends z.ZodMiniType>(shape: S): z.ZodMiniOptional<z.ZodMiniNullable<S>> =>
  z.optional(z.nullable(shape));
const oneOf = <const V extends readonly string[]>(
  values: V,
): z.ZodMiniEnum<{ [K in V[number]]: K }> => z.enum(values, `one of ${values.join(", ")}`);

const executions = ["oneshot", "subagent", "pipeline"] as const;

/** An empty map or nothing is what some tools write for "no tools given". */
function isToolList(tools: unknown): boolean {
  if (Array.isArray(tools)) return tools.every((tool) => typeof tool === "string");
  if (typeof tools === "object" && tools !== null) return Object.keys(tools).length === 0;
  return tools === null || typeof tools === "string";
}

/** The frontmatter of an agent file; every key may be left empty. */
export const agentShape = z.strictObject({
  name: maybe(
    text.check(z.regex(/^[a-z][a-z0-9-]*$/, "lower-case letters, digits and -, a letter first")),
  ),
  description: maybe(text),
  capability: maybe(text),
  access: maybe(
    z.strictObject(
      {
        filesystem: maybe(oneOf(["none", "read", "write"])),
        shell: maybe(oneOf(["none", "limited"])),
        git: maybe(oneOf(["none", "read", "write"])),
        network: maybe(z.boolean("true or false")),
      },
      "a map: filesystem, shell, git, network",
    ),
  ),
  execution: maybe(
    z.union(
      [z.enum(executions), z.strictObject({ preferred_mode: maybe(oneOf(executions)) })],
      `one of ${executions.join(", ")}, or a map with preferred_mode`,
    ),
  ),
  tools: z.optional(
    z.unknown().check(z.refine(isToolList, "a list of names or comma-separated text")),
  ),
  ladder: maybe(text),
  model: z.optional(z.unknown()),
  provider: z.optional(z.unknown()),
});

export type AgentFrontmatter = z.infer<typeof agentShape>;
