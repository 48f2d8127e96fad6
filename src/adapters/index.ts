/**
 * How is a model called? Finds the program or the endpoint, makes one request, and says in kit's
 * words what came of it. Which model to call, whether to call again and what to do with the reply
 * is left to routing and pipeline.
 */
import type { Adapter, Binding } from "../contracts/index.ts";
import { createClaudeAdapter } from "./claude/adapter.ts";
import { createCodexAdapter } from "./codex/adapter.ts";
import { createCommandAdapter } from "./command/adapter.ts";
import { createOpenAiAdapter } from "./openai/adapter.ts";
import { createPiAdapter, type PiAdapterOptions } from "./pi/adapter.ts";

export { createClaudeAdapter } from "./claude/adapter.ts";
export { createCodexAdapter } from "./codex/adapter.ts";
export { createCommandAdapter, type CommandAdapterOptions } from "./command/adapter.ts";
export { createOpenAiAdapter, type OpenAiAdapterOptions } from "./openai/adapter.ts";
export { findProgram } from "./program.ts";
export { isSameModel } from "./same-model.ts";
export {
  createPiAdapter,
  listPiCommands,
  type PiAdapterOptions,
  type PiInventory,
} from "./pi/adapter.ts";

export interface AdapterOptions extends PiAdapterOptions {
  /** The bindings there are: they name endpoints and programs to list and to check. */
  readonly bindings?: readonly Binding[];
}

/** Every adapter by the name bindings use for it. */
export function createAdapters(options: AdapterOptions): ReadonlyMap<string, Adapter> {
  const { env, bindings } = options;
  const others = { env, bindings };
  const adapters = [
    createPiAdapter(options),
    createOpenAiAdapter(others),
    createCommandAdapter(others),
    createClaudeAdapter(others),
    createCodexAdapter(others),
  ];
  return new Map(adapters.map((adapter) => [adapter.name, adapter]));
}
