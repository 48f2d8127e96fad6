import * as z from "zod/mini";
import { classifyShape } from "./classify/shape.ts";
import { bindingsShape, registryShape } from "./shapes.ts";

/** A JSON Schema file of the package, as text. */
export interface SchemaFile {
  /** From the package root. */
  readonly file: string;
  readonly text: string;
}

/** The schemas that editors use for routing and bindings files, rendered from the shapes. */
export function routingSchemas(): readonly SchemaFile[] {
  return [
    {
      file: "routing/routing.schema.json",
      text: render(registryShape, "kit: routing.yaml, routing.local.yaml"),
    },
    {
      file: "routing/models.schema.json",
      text: render(bindingsShape, "kit: models.yaml, models.local.yaml"),
    },
    {
      file: "routing/classify.schema.json",
      text: render(classifyShape, "kit: classify.yaml"),
    },
  ];
}

/** Draft 7, which every editor's YAML support knows. */
function render(shape: z.ZodMiniType, title: string): string {
  const { $schema, ...schema } = z.toJSONSchema(shape, { target: "draft-7", io: "input" });
  return `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`;
}
