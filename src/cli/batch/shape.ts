import * as z from "zod/mini";
import { durationMs } from "../../config/index.ts";

const oneLine = z.string("text").check(z.regex(/^(?!\s*$)[^\r\n\0]+$/, "text on one line"));
const text = z.string("text").check(z.regex(/\S/, "some words"));
const count = z.int("a whole number from 1").check(z.minimum(1), z.maximum(999_999_999));
const durationAllowed = "a time like 90s, 20m or 2h, or a number of seconds, up to 24h";
const duration = z.union([z.string(), z.number()], durationAllowed).check(
  z.refine((value) => {
    const ms = durationMs(value);
    return ms !== undefined && ms > 0 && ms <= 24 * 3_600_000;
  }, durationAllowed),
);
const idAllowed = "letters, digits, dots, dashes and underscores, 64 at most";

/** What every task may say, and `defaults` for all of them. */
const common = {
  repo: z.optional(oneLine),
  test: z.optional(
    z.union([oneLine, z.array(oneLine)], "a command on one line, or a list of such commands"),
  ),
  budget_usd: z.optional(z.number("an amount in USD").check(z.positive("an amount above 0"))),
  budget_tokens: z.optional(count),
  max_calls: z.optional(count),
  max_attempts: z.optional(count),
  timeout: z.optional(duration),
  capability: z.optional(oneLine),
  review: z.optional(z.boolean("true or false")),
  may_edit_tests: z.optional(z.boolean("true or false")),
  commit: z.optional(z.boolean("true or false")),
};

/** One task: an entry of `tasks`, or a line of a JSONL file. */
export const taskShape = z.strictObject(
  {
    id: z.optional(z.string(idAllowed).check(z.regex(/^[A-Za-z0-9][\w.-]{0,63}$/, idAllowed))),
    task: z.optional(text),
    task_file: z.optional(oneLine),
    pack: z.optional(oneLine),
    branch: z.optional(oneLine),
    ...common,
  },
  "a map: task, and what else it needs",
);

/** A whole YAML or JSON file. */
export const batchShape = z.strictObject({
  $schema: z.optional(z.string("text")),
  version: z.literal(1, "1: this kit reads no other version"),
  defaults: z.optional(z.strictObject(common, `a map: ${Object.keys(common).join(", ")}`)),
  tasks: z.array(taskShape, "a list of tasks"),
});

export type TaskContent = z.infer<typeof taskShape>;

/** The JSON Schema that editors use, rendered from the shape; `file` from the package root. */
export function batchSchema(): { readonly file: string; readonly text: string } {
  const { $schema, ...schema } = z.toJSONSchema(batchShape, { target: "draft-7", io: "input" });
  const title = "kit: tasks of kit batch";
  return {
    file: "docs/batch.schema.json",
    text: `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`,
  };
}
