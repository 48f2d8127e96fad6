import * as z from "zod/mini";
import { thinkingLevels } from "../contracts/index.ts";

/** Adapters a binding may name; the first is the default. */
export const adapterNames = ["pi", "openai", "command", "claude", "codex"] as const;
const editFormats = ["auto", "whole", "edit"] as const;

/** What editors show of a key. */
function about<S extends z.ZodMiniType>(description: string, shape: S): S {
  z.globalRegistry.add(shape, { description });
  return shape;
}

const text = z.string("text");
const truth = z.boolean("true or false");
const scalar = z.union([z.string(), z.number(), z.boolean()], "text, a number, true or false");
const rank = z.union([z.string(), z.number()], "text or a number");
const usd = z.number("USD per million tokens, from 0").check(z.minimum(0));
const tokens = z.int("a whole number of tokens, from 1").check(z.minimum(1));
const nameList = z.array(text, "a list of names");

// A provider with a "/" would be split at the wrong place when adapters write provider/model.
const provider = z
  .string("a provider's name")
  .check(
    z.regex(/^(?!-)[^\s/]*$/, "a provider's name: no / and no blanks; the rest of an id is model"),
  );
const model = z
  .string("a model's id as text")
  .check(z.regex(/^(?!\s)[^\r\n\t\0]*(?<!\s)$/, "a model's id, no blanks around it, on one line"));

const variable = z
  .string("the name of an environment variable")
  .check(z.regex(/^[A-Za-z_]\w{0,99}$/, "the name of an environment variable"));
const address = z.string("an address").check(
  z.regex(
    /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/i,
    "an http or https address without user, query and fragment",
  ),
  z.refine((text) => URL.canParse(text), "an http or https address"),
);
const argument = z.string("text").check(z.regex(/^[^\0]*$/, "text"));

const capabilityName = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9-]*$/, "lower-case letters, digits and -, a letter first"));
const slotName = z
  .string()
  .check(z.regex(/^[A-Za-z0-9][\w.-]*$/, "letters, digits, -, _ and ., a letter or digit first"));

/** Every key may be left out (a later layer says less) or `null` (it takes a key away). */
const maybe = <S extends z.ZodMiniType>(shape: S): z.ZodMiniOptional<z.ZodMiniNullable<S>> =>
  z.optional(z.nullable(shape));

/** A map by name whose entries `null` disables. */
const byName = <N extends z.ZodMiniString, S extends z.ZodMiniType>(
  name: N,
  entry: S,
): z.ZodMiniOptional<z.ZodMiniNullable<z.ZodMiniRecord<N, z.ZodMiniNullable<S>>>> =>
  maybe(z.record(name, z.nullable(entry), "a map of names"));

const version = z.optional(z.literal(1, "1: this kit reads no other version"));

const ladders = byName(slotName, nameList);

const registryBackend = z.strictObject(
  {
    description: maybe(text),
    vision: about("Whether it can look at images", maybe(truth)),
    roles: maybe(z.union([z.string(), z.array(z.string())], "a list of names")),
    tier: maybe(rank),
    capability_class: maybe(rank),
    cost_class: maybe(rank),
  },
  "a map: description, vision, roles, …",
);

const capability = z.strictObject(
  {
    description: maybe(text),
    primary: about("The backend that is asked first", maybe(text)),
    fallback: about(
      "Backends asked next, in this order; the list is replaced whole by a later layer",
      maybe(nameList),
    ),
    requires: maybe(z.record(text, z.nullable(scalar), "a map of properties")),
  },
  "a map: primary, fallback, requires, description",
);

/** `routing.yaml` of one layer, the predecessor's `routing.json` included (its `escalation`). */
export const registryShape = z.strictObject({
  $schema: z.optional(text),
  version,
  description: maybe(text),
  backends: byName(slotName, registryBackend),
  capabilities: byName(capabilityName, capability),
  ladders,
  escalation: maybe(
    z.strictObject({ description: maybe(text), ladders }, "a map: ladders, description"),
  ),
});

/** A binding as one layer writes it; the layers together must give provider and model. */
const binding = z.strictObject(
  {
    adapter: maybe(z.enum(adapterNames, `one of ${adapterNames.join(", ")}`)),
    provider: about("As the adapter names it; TODO… is a placeholder", maybe(provider)),
    model: maybe(model),
    thinking: maybe(z.enum(thinkingLevels, `one of ${thinkingLevels.join(", ")}`)),
    vision: maybe(truth),
    context_window: about(
      "Tokens the model can take in; set it where it is smaller than pi says",
      maybe(tokens),
    ),
    price: maybe(
      z.strictObject(
        {
          input: maybe(usd),
          output: maybe(usd),
          cache_read: maybe(usd),
          cache_write: maybe(usd),
        },
        "a map: input, output, cache_read, cache_write in USD per million tokens",
      ),
    ),
    quota_pool: about(
      "Bindings of one pool are spent together; the provider where left out",
      maybe(text),
    ),
    edit_format: about(
      "How changes are asked for; auto: whole files up to whole_file_lines, edits above",
      maybe(z.enum(editFormats, `one of ${editFormats.join(", ")}`)),
    ),
    whole_file_lines: maybe(z.int("a whole number of lines, from 0").check(z.minimum(0))),
    extensions: about(
      "Load extensions of pi for this backend: their code runs beside every call",
      maybe(truth),
    ),
    base_url: about(
      "adapters openai, claude, codex: where the API stands, as https://openrouter.ai/api/v1",
      maybe(address),
    ),
    api_key_env: about(
      "adapters openai, claude, codex: the environment variable that holds the key; never the key",
      maybe(variable),
    ),
    insecure_http: about(
      "adapter openai: plain http beyond this machine and its own network",
      maybe(truth),
    ),
    command: about(
      "adapter command: the program and its arguments; claude, codex: the program",
      maybe(z.array(argument, "a list: the program, then its arguments").check(z.minLength(1))),
    ),
    pass_environment: about(
      "adapters that start a program: variables it may see although they look like credentials",
      maybe(z.array(variable, "a list of names of environment variables")),
    ),
    note: maybe(text),
  },
  "a map: provider, model, thinking, …",
);

/** `models.yaml` of one layer, the predecessor's `models.json` included. */
export const bindingsShape = z.strictObject({
  $schema: z.optional(text),
  version,
  description: maybe(text),
  backends: byName(slotName, binding),
});

export type BackendContent = z.infer<typeof registryBackend>;
export type CapabilityContent = z.infer<typeof capability>;
export type BindingContent = z.infer<typeof binding>;
export type RegistryFileContent = z.infer<typeof registryShape>;
export type BindingsFileContent = z.infer<typeof bindingsShape>;
/** Keys of a binding that a registry entry may not have, and the other way round. */
export const bindingKeys: readonly string[] = Object.keys(binding.shape);
export const registryBackendKeys: readonly string[] = Object.keys(registryBackend.shape);
