/**
 * How is a model called? Finds the program, makes one request, and says in kit's words what
 * came of it. Which model to call, whether to call again and what to do with the reply is
 * left to routing and pipeline.
 */
import type { Adapter } from "../contracts/index.ts";
import { createPiAdapter, type PiAdapterOptions } from "./pi/adapter.ts";

export { isSameModel } from "./same-model.ts";
export { createPiAdapter, type PiAdapterOptions } from "./pi/adapter.ts";

/** Every adapter by the name bindings use for it. */
export function createAdapters(options: PiAdapterOptions): ReadonlyMap<string, Adapter> {
  return new Map([createPiAdapter(options)].map((adapter) => [adapter.name, adapter]));
}
