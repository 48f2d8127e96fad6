import { KitError, thinkingLevels, type Thinking } from "../contracts/index.ts";

/** One `--model BACKEND=PROVIDER/ID[:THINKING]`, taken apart. */
export interface ModelFlag {
  readonly backend: string;
  readonly provider: string;
  /** As given: ids may hold `/` and `:`. */
  readonly model: string;
  readonly thinking?: Thinking;
}

/**
 * Reads the value of one `--model` flag. The first `=` ends the backend, the first `/` after it
 * ends the provider; a trailing `:word` is a thinking level only when it is one of the known
 * levels to the letter, so `p1/model:32b` is the model `model:32b`. Nothing is ever guessed or
 * completed.
 * @throws KitError `usage` when a part is missing.
 */
export function parseModelFlag(text: string): ModelFlag {
  const equals = text.indexOf("=");
  const slash = text.indexOf("/", equals + 1);
  const backend = text.slice(0, Math.max(equals, 0)).trim();
  const provider = slash === -1 ? "" : text.slice(equals + 1, slash).trim();
  const id = slash === -1 ? "" : text.slice(slash + 1).trim();
  if (equals === -1 || backend === "" || provider === "" || id === "") {
    throw new KitError("usage", `--model ${JSON.stringify(text)} does not say which model.`, {
      next: "Write --model BACKEND=PROVIDER/ID[:THINKING], for example --model strong=openai/gpt-5:high",
    });
  }
  const colon = id.lastIndexOf(":");
  const thinking = thinkingLevels.find((level) => level === id.slice(colon + 1));
  if (colon < 1 || thinking === undefined) return { backend, provider, model: id };
  return { backend, provider, model: id.slice(0, colon), thinking };
}
