import * as z from "zod/mini";
import { configSource, origin, price, problem, schemaVersion } from "./parts.ts";

const text = z.string();
const texts = z.array(text);
const optionalText = z.exactOptional(text);
const problems = z.array(problem);
const sources = z.array(configSource);

const listedModel = z.strictObject({
  provider: text,
  model: text,
  contextWindow: z.exactOptional(z.number()),
  reasoning: z.exactOptional(z.boolean()),
  vision: z.exactOptional(z.boolean()),
  baseUrl: optionalText,
  price: z.exactOptional(price),
});

export const models = z.strictObject({
  schemaVersion,
  backends: z.array(
    z.strictObject({
      backend: text,
      description: optionalText,
      state: z.enum(["bound", "placeholder", "unbound", "disabled"]),
      binding: z.exactOptional(
        z.strictObject({
          adapter: text,
          provider: text,
          model: text,
          thinking: optionalText,
          contextWindow: z.exactOptional(z.number()),
          price: z.exactOptional(price),
          quotaPool: text,
          editFormat: text,
          wholeFileLines: z.exactOptional(z.number()),
          vision: z.exactOptional(z.boolean()),
          extensions: z.boolean(),
          baseUrl: optionalText,
          apiKeyEnv: optionalText,
          insecureHttp: z.exactOptional(z.boolean()),
          command: z.exactOptional(texts),
          passEnvironment: z.exactOptional(texts),
          note: optionalText,
        }),
      ),
      source: z.exactOptional(origin),
      capabilities: texts,
      /** What its adapter says of it; absent with --offline. */
      standing: z.exactOptional(
        z.strictObject({
          state: z.enum(["known", "dead", "broken", "not_checked"]),
          said: text,
          mend: optionalText,
          model: z.exactOptional(listedModel),
        }),
      ),
      cooling: z.exactOptional(
        z.strictObject({ pool: text, failure: text, until: text, told: z.boolean() }),
      ),
    }),
  ),
  /** With --all. */
  models: z.exactOptional(z.array(listedModel)),
  sources,
  problems,
});

const foundModel = z.extend(listedModel, { adapter: text, isLocal: z.boolean() });

export const init = z.strictObject({
  schemaVersion,
  file: text,
  written: z.boolean(),
  /** What the file held before. */
  backup: optionalText,
  /** The file as it is, or would be. */
  yaml: text,
  found: z.array(
    z.strictObject({ name: text, said: text, models: z.number(), next: optionalText }),
  ),
  backends: z.array(
    z.strictObject({ backend: text, adapter: text, provider: text, model: text, because: text }),
  ),
  /** Backends that are bound already. */
  kept: texts,
  models: z.array(foundModel),
});

export const doctor = z.strictObject({
  schemaVersion,
  root: text,
  /** Nothing that was checked speaks against a run. */
  ready: z.boolean(),
  fixed: texts,
  checks: z.array(
    z.strictObject({
      group: z.enum(["machine", "models", "agents", "repository"]),
      name: text,
      state: z.enum(["ok", "warning", "problem", "not_checked"]),
      said: text,
      mend: optionalText,
      /** How `kit run` would end because of it. */
      exitCode: z.exactOptional(z.number()),
    }),
  ),
});
