import * as z from "zod/mini";
import { version1, version2 } from "./schema.ts";

/**
 * The published JSON Schemas by file name, rendered from the shapes that validate. What JSON
 * Schema cannot say (start ≤ end of a range) is left to `kit pack check`.
 */
export function contextPackSchemas(): Record<string, object> {
  return {
    "context-pack.v1.schema.json": published(version1, "Context Pack, version 1"),
    "context-pack.v2.schema.json": published(version2, "Context Pack, version 2"),
  };
}

function published(shape: typeof version1 | typeof version2, title: string): object {
  const { $schema, ...schema } = z.toJSONSchema(shape, { target: "draft-2020-12", io: "input" });
  return {
    $schema,
    title,
    ...schema,
    // Only a discovery that found nothing may name no file.
    anyOf: [
      { properties: { relevant_files: { minItems: 1 } } },
      {
        required: ["discovery"],
        properties: { discovery: { properties: { status: { const: "none" } } } },
      },
    ],
  };
}
