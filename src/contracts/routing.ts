import type { ConfigSource, Problem, Sourced } from "./problem.ts";

export const thinkingLevels = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Thinking = (typeof thinkingLevels)[number];

/** USD per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** How a coder on this binding is asked to write changes. */
export type EditFormat = "whole" | "edit" | "auto";

/** What a backend is on this machine. */
export interface Binding {
  readonly adapter: string;
  readonly provider: string;
  readonly model: string;
  readonly thinking?: Thinking;
  /** Tokens. */
  readonly contextWindow?: number;
  readonly price?: Price;
  /** Default: the provider. */
  readonly quotaPool: string;
  readonly editFormat: EditFormat;
  /** Files of at most this many lines are asked for whole when `editFormat` is `auto`. */
  readonly wholeFileLines?: number;
  /** Says more than the backend's `vision` where both are given. */
  readonly vision?: boolean;
  /** pi extensions are loaded for this binding (its blast radius is in docs/pi.md). */
  readonly extensions: boolean;
  /** Where the API stands, `http://127.0.0.1:11434/v1`; adapters `openai`, `claude`, `codex`. */
  readonly baseUrl?: string;
  /** The environment variable that holds the key of `baseUrl`; never the key. */
  readonly apiKeyEnv?: string;
  /** Plain http beyond the user's own network is allowed. */
  readonly insecureHttp?: boolean;
  /** Adapter `command`: the program and its arguments; `claude`, `codex`: their program. */
  readonly command?: readonly string[];
  /** Adapters that start a program: variables it may see although they look like credentials. */
  readonly passEnvironment?: readonly string[];
  readonly note?: string;
}

/** A backend with its binding, ready to be called. */
export interface Candidate {
  readonly backend: string;
  readonly binding: Binding;
  /** adapter + provider + model + thinking, as text; two backends of one identity are one candidate. */
  readonly identity: string;
  /** Required properties the backend lacks: it is used last and said to be degraded. */
  readonly degraded: readonly string[];
}

/** A backend that a route left out, and why. */
export interface SkippedBackend {
  readonly backend: string;
  readonly reason: string;
}

/** The ordered candidates of one capability. */
export interface Route {
  readonly capability: string;
  readonly candidates: readonly Candidate[];
  readonly skipped: readonly SkippedBackend[];
}

export interface BackendEntry {
  readonly description?: string;
  readonly vision?: boolean;
  readonly roles?: readonly string[];
  readonly tier?: string | number;
  readonly capabilityClass?: string | number;
  readonly costClass?: string | number;
}

export interface CapabilityEntry {
  readonly description?: string;
  readonly primary: string;
  readonly fallback: readonly string[];
  readonly requires: Readonly<Record<string, string | number | boolean>>;
}

/** Capabilities, backends and ladders after all layers were merged, each with its origin. */
export interface Registry {
  readonly backends: ReadonlyMap<string, Sourced<BackendEntry>>;
  readonly capabilities: ReadonlyMap<string, Sourced<CapabilityEntry>>;
  /** Capabilities that a layer set to `null`. */
  readonly disabled: ReadonlySet<string>;
  readonly ladders: ReadonlyMap<string, Sourced<readonly string[]>>;
  /** Bindings that are complete. */
  readonly bindings: ReadonlyMap<string, Sourced<Binding>>;
  /** Backends whose binding is missing or still a placeholder, with the reason. */
  readonly unbound: ReadonlyMap<string, "placeholder" | "unbound" | "disabled">;
  /**
   * Where each key came from, by dotted path: `bindings.cheap.thinking`,
   * `capabilities.strong-code.fallback`, `ladders.code`; a value of `null` is one that disables.
   */
  readonly origins: ReadonlyMap<string, Sourced<unknown>>;
  readonly sources: readonly ConfigSource[];
  /** Errors mean that no run may start; those of an unused project layer are warnings. */
  readonly problems: readonly Problem[];
}
