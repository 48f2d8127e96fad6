import * as z from "zod/mini";
import { documentSchemas } from "../../src/cli/schemas/index.ts";
import { eventSchemas } from "../../src/runs/index.ts";

/** The JSON Schemas of every `--json` document and of the event log, by file in `docs/schemas`. */
export function documentSchemaFiles(): Map<string, string> {
  const documents = Object.entries(documentSchemas).map(([name, schema]) => {
    return [`docs/schemas/${name}.schema.json`, schemaText(`kit --json: ${name}`, schema)] as const;
  });
  const event = z.union([...eventSchemas.values()]);
  return new Map([
    ...documents,
    ["docs/schemas/event.schema.json", schemaText("kit: a line of events.jsonl", event)],
  ]);
}

function schemaText(title: string, schema: z.ZodMiniType): string {
  const { $schema, ...rendered } = z.toJSONSchema(schema, { io: "input" });
  return `${JSON.stringify({ $schema, title, ...rendered }, null, 2)}\n`;
}
