import type { Layer } from "./problem.ts";

/** What a role may touch. kit's own one-shot calls give a model no tools whatever this says. */
export interface Access {
  readonly filesystem: "none" | "read" | "write";
  readonly shell: "none" | "limited";
  readonly git: "none" | "read" | "write";
  readonly network: boolean;
}

/** A role: prompt, capability, access. */
export interface Agent {
  readonly name: string;
  readonly description: string;
  readonly capability?: string;
  readonly access: Access;
  readonly execution: "oneshot" | "subagent" | "pipeline";
  readonly tools: readonly string[];
  /** Name of the ladder this agent may climb. */
  readonly ladder?: string;
  /** Frontmatter keys kit does not know, kept as they were read. */
  readonly other: Readonly<Record<string, unknown>>;
  /** The system prompt. */
  readonly body: string;
  readonly layer: Layer;
  readonly file: string;
  /** False when its capability is defined but disabled on this machine. */
  readonly available: boolean;
}
