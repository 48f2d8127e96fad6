import * as z from "zod/mini";
import { configSource, problem, schemaVersion } from "./parts.ts";

const text = z.string();
const texts = z.array(text);
const optionalText = z.exactOptional(text);
const problems = z.array(problem);
const sources = z.array(configSource);

export const agents = z.strictObject({
  schemaVersion,
  agents: z.array(
    z.strictObject({
      name: text,
      description: text,
      capability: optionalText,
      ladder: optionalText,
      available: z.boolean(),
      execution: z.enum(["oneshot", "subagent", "pipeline"]),
      access: z.strictObject({
        filesystem: text,
        shell: text,
        git: text,
        network: z.boolean(),
      }),
      tools: texts,
      layer: text,
      file: text,
      sound: z.boolean(),
    }),
  ),
  sources,
  problems,
});
