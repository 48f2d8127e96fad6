import type { BackendEntry, Binding, CapabilityEntry, Price } from "../contracts/index.ts";
import {
  adapterNames,
  type BindingContent,
  type BackendContent,
  type CapabilityContent,
} from "./shapes.ts";

/** The merged value of a section's entry: its shape without the keys that `null` took away. */
type Merged<T> = { readonly [K in keyof T]?: NonNullable<T[K]> };

/** Drops the keys that are not there, as exact optional properties want it. */
function present<T extends object>(keys: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const kept = Object.entries(keys).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(kept) as { [K in keyof T]?: NonNullable<T[K]> };
}

/** True while provider or model is missing or still says `TODO…`. */
export function isPlaceholder(value: unknown): boolean {
  const { provider, model } = value as Merged<BindingContent>;
  return [provider, model].some((text) => !text || text.startsWith("TODO"));
}

/** The binding of a merged entry; provider and model are empty where they are missing. */
export function bindingOf(value: unknown): Binding {
  const entry = value as Merged<BindingContent>;
  const provider = entry.provider ?? "";
  return {
    adapter: entry.adapter ?? adapterNames[0],
    provider,
    model: entry.model ?? "",
    quotaPool: entry.quota_pool ?? provider,
    editFormat: entry.edit_format ?? "auto",
    extensions: entry.extensions ?? false,
    ...present({
      thinking: entry.thinking,
      contextWindow: entry.context_window,
      price: priceOf(entry.price),
      wholeFileLines: entry.whole_file_lines,
      vision: entry.vision,
      note: entry.note,
      baseUrl: entry.base_url,
      apiKeyEnv: entry.api_key_env,
      insecureHttp: entry.insecure_http,
      command: entry.command,
      passEnvironment: entry.pass_environment,
    }),
  };
}

/** A price without input or output is no price: cost stays unknown. */
function priceOf(price: BindingContent["price"]): Price | undefined {
  if (typeof price?.input !== "number" || typeof price.output !== "number") return undefined;
  return {
    input: price.input,
    output: price.output,
    ...present({ cacheRead: price.cache_read, cacheWrite: price.cache_write }),
  };
}

export function backendEntry(value: unknown): BackendEntry {
  const entry = value as Merged<BackendContent>;
  return present({
    description: entry.description,
    vision: entry.vision,
    roles: typeof entry.roles === "string" ? [entry.roles] : entry.roles,
    tier: entry.tier,
    capabilityClass: entry.capability_class,
    costClass: entry.cost_class,
  });
}

/** `primary` is empty where no layer gives one; `checkRegistry` has reported it then. */
export function capabilityEntry(value: unknown): CapabilityEntry {
  const entry = value as Merged<CapabilityContent>;
  return {
    primary: entry.primary ?? "",
    fallback: entry.fallback ?? [],
    requires: (entry.requires ?? {}) as CapabilityEntry["requires"],
    ...present({ description: entry.description }),
  };
}
