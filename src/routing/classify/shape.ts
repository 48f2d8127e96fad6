import * as z from "zod/mini";

const text = z.string("text");
const count = z.int("a whole number, from 0").check(z.minimum(0));
const maybe = <S extends z.ZodMiniType>(shape: S): z.ZodMiniOptional<z.ZodMiniNullable<S>> =>
  z.optional(z.nullable(shape));

/** What editors show of a key. */
function about<S extends z.ZodMiniType>(description: string, shape: S): S {
  z.globalRegistry.add(shape, { description });
  return shape;
}

const wordList = z.array(
  text.check(z.regex(/\S/, "text with more than blanks")),
  "a list of words or phrases",
);
const range = z.strictObject({ min: maybe(count), max: maybe(count) }, "a map: min, max");

const capabilityName = text.check(
  z.regex(/^[a-z][a-z0-9-]*$/, "lower-case letters, digits and -, a letter first"),
);

const rule = z.strictObject(
  {
    description: maybe(text),
    keywords: about(
      "Holds where the task has one of these, as whole words, letter case ignored",
      maybe(wordList),
    ),
    globs: about("Holds where a path that the task or its pack names fits one", maybe(wordList)),
    images: about(
      "true: holds where the task names a picture; false: where it names none",
      maybe(z.boolean("true or false")),
    ),
    words: about("How long the task is", maybe(range)),
    files: about("How many paths the task and its pack name", maybe(range)),
    capability: about("What the coder then asks for", maybe(capabilityName)),
  },
  "a map: keywords, globs, images, words, files, capability",
);

/** `classify.yaml` of one layer. */
export const classifyShape = z.strictObject({
  $schema: z.optional(text),
  version: z.optional(z.literal(1, "1: this kit reads no other version")),
  rules: maybe(
    z.record(
      z
        .string()
        .check(
          z.regex(/^[A-Za-z0-9][\w.-]*$/, "letters, digits, -, _ and ., a letter or digit first"),
        ),
      z.nullable(rule),
      "a map of rules by name",
    ),
  ),
});

export type RuleContent = z.infer<typeof rule>;
