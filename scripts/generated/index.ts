import { batchSchema } from "../../src/cli/batch/shape.ts";
import { settingsSchema } from "../../src/config/editor-schema.ts";
import { routingSchemas } from "../../src/routing/editor-schemas.ts";
import { commandReference } from "./commands.ts";
import { failureReference } from "./failures.ts";
import { thirdPartyNotices } from "./notices.ts";
import { documentSchemaFiles } from "./schemas.ts";

/** Every file that is written by `npm run generate`: path in the package → content. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const editorSchemas = [...routingSchemas(), settingsSchema(), batchSchema()];
  return new Map([
    ["THIRD-PARTY-NOTICES.md", await thirdPartyNotices()],
    ["docs/commands.md", await commandReference()],
    ["docs/failures.md", failureReference()],
    ...documentSchemaFiles(),
    ...editorSchemas.map(({ file, text }) => [file, text] as const),
  ]);
}
