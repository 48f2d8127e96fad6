import type { Binding, Thinking } from "../../contracts/index.ts";
import { atLeast, type PiVersion } from "./version.ts";

/** What a pi of some version can be told, by pi's changelog and by running 0.73.1 and 1.6.0. */
export interface PiFeatures {
  /** From 0.79.0 a project's `.pi` is only read with `--approve`; before, always. */
  readonly approve: boolean;
  /** From 1.0.4: built-in MCP can be switched off on its own. */
  readonly noMcp: boolean;
  /** From 0.80.6. */
  readonly thinkingMax: boolean;
  /** The event after which no more comes: `agent_settled` from 0.80.4, `agent_end` before. */
  readonly lastEvent: "agent_settled" | "agent_end";
  /** Before 1.0 a stream cut without a finish reason looks like a whole reply. */
  readonly seesCutStreams: boolean;
}

export function featuresOf(version: PiVersion): PiFeatures {
  return {
    approve: atLeast(version, [0, 79, 0]),
    noMcp: atLeast(version, [1, 0, 4]),
    thinkingMax: atLeast(version, [0, 80, 6]),
    lastEvent: atLeast(version, [0, 80, 4]) ? "agent_settled" : "agent_end",
    seesCutStreams: atLeast(version, [1, 0, 0]),
  };
}

/**
 * Arguments of a one-shot call: the prompt comes on stdin, no session, no tools, and nothing of
 * the user's or a repository's reaches the model. `--approve` trusts kit's own working folder,
 * the only project there is. No text of a task ever becomes an argument.
 */
export function callArguments(
  binding: Pick<Binding, "provider" | "model" | "thinking" | "extensions">,
  systemPromptFile: string,
  features: PiFeatures,
): string[] {
  return [
    "-p",
    "--mode",
    "json",
    "--no-session",
    "--no-tools",
    ...isolation(binding.extensions, features),
    "--append-system-prompt",
    "",
    "--system-prompt",
    systemPromptFile,
    "--model",
    `${binding.provider}/${binding.model}`,
    ...(binding.thinking === undefined
      ? []
      : ["--thinking", thinkingFlag(binding.thinking, features)]),
    ...(features.approve ? ["--approve"] : []),
  ];
}

/** Arguments under which pi answers questions about itself, calling no model. */
export function rpcArguments(features: PiFeatures): string[] {
  return [
    "--mode",
    "rpc",
    "--no-session",
    "--no-tools",
    ...isolation(false, features),
    ...(features.approve ? ["--approve"] : []),
  ];
}

/** Arguments under which pi loads the user's own extensions and skills and says which; no model, no tool. */
export function inventoryArguments(features: PiFeatures): string[] {
  const own = isolation(true, features).filter((flag) => flag !== "--no-skills");
  return [
    "--mode",
    "rpc",
    "--no-session",
    "--no-tools",
    ...own,
    ...(features.approve ? ["--approve"] : []),
  ];
}

function isolation(extensions: boolean, features: PiFeatures): string[] {
  return [
    extensions ? (features.noMcp ? "--no-mcp" : "") : "--no-extensions",
    "--no-skills",
    "--no-prompt-templates",
    "--no-themes",
    "--no-context-files",
    "--offline",
  ].filter((flag) => flag !== "");
}

function thinkingFlag(thinking: Thinking, features: PiFeatures): string {
  return thinking === "max" && !features.thinkingMax ? "xhigh" : thinking;
}
