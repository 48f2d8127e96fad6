import * as z from "zod/mini";
import { settingsShape } from "./settings-shape.ts";

/** The JSON Schema that editors use for `kit.yaml`, rendered from the shape; `file` from the package root. */
export function settingsSchema(): { readonly file: string; readonly text: string } {
  const { $schema, ...schema } = z.toJSONSchema(settingsShape, { target: "draft-7", io: "input" });
  const text = `${JSON.stringify({ $schema, title: "kit: kit.yaml", ...schema }, null, 2)}\n`;
  return { file: "docs/settings.schema.json", text };
}
