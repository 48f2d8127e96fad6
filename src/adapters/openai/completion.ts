import type { Usage } from "../../contracts/index.ts";
import type { StreamEvent } from "./sse.ts";

type Json = Readonly<Record<string, unknown>>;

/** What a chat completion said so far, streamed or whole. */
export interface CompletionFacts {
  readonly text: string;
  readonly replyBytes: number;
  readonly hasReasoning: boolean;
  /** The server's own name for the model. */
  readonly model?: string;
  readonly finishReason?: string;
  readonly refusal?: string;
  readonly tool?: string;
  readonly usage?: Usage;
  /** USD as the provider charges it (OpenRouter). */
  readonly costUsd?: number;
  /** The error object that came in place of a chunk. */
  readonly error?: unknown;
  /** A chunk that is no JSON, shortened. */
  readonly garbled?: string;
  /** The server said that no more comes. */
  readonly done: boolean;
}

/** Why the rest of an answer is not read: its facts say enough. */
type Enough = "done" | "error" | "garbled" | "tool" | "wrong_model" | "too_large";

export interface CompletionOptions {
  readonly maxReplyBytes: number;
  /** Whether the model that answers is the one that was asked. */
  readonly isWanted: (model: string) => boolean;
  readonly onProgress?: ((replyBytes: number) => void) | undefined;
}

/** Reads chat completion chunks into facts; keeps nothing but the reply's text. */
export class CompletionReader {
  readonly #options: CompletionOptions;
  readonly #pieces: string[] = [];
  #facts: Omit<CompletionFacts, "text" | "replyBytes"> = { hasReasoning: false, done: false };
  #replyBytes = 0;
  /** Set once nothing more needs to be read. */
  enough: Enough | undefined;

  constructor(options: CompletionOptions) {
    this.#options = options;
  }

  /** The reply is whole; usage may still come. */
  finished(): boolean {
    return this.#facts.finishReason !== undefined;
  }

  facts(): CompletionFacts {
    return { ...this.#facts, text: this.#pieces.join(""), replyBytes: this.#replyBytes };
  }

  readonly onEvent = ({ name, data }: StreamEvent): void => {
    if (this.enough !== undefined) return;
    if (data.trim() === "[DONE]") {
      this.#learn({ done: true });
      this.enough = "done";
      return;
    }
    const chunk = parse(data);
    if (chunk === undefined) {
      this.#learn({ garbled: data.slice(0, 300) });
      this.enough = "garbled";
    } else this.#read(chunk, name === "error");
  };

  /** The whole answer of a server that does not stream. */
  readWhole(body: string): void {
    const completion = parse(body);
    if (completion === undefined) this.#learn({ garbled: body.slice(0, 300) });
    else this.#read(completion, false);
  }

  #read(chunk: Json, isError: boolean): void {
    const error = chunk.error ?? (isError || chunk.object === "error" ? chunk : undefined);
    if (error !== undefined && error !== null) {
      this.#learn({ error });
      this.enough = "error";
      return;
    }
    if (typeof chunk.model === "string" && chunk.model !== "" && this.#facts.model === undefined) {
      this.#learn({ model: chunk.model });
      if (!this.#options.isWanted(chunk.model)) this.enough = "wrong_model";
    }
    const usage = object(chunk.usage);
    if (usage !== undefined) this.#learn(readUsage(usage));
    const choice = object((Array.isArray(chunk.choices) ? chunk.choices : [])[0]);
    if (choice !== undefined) this.#readChoice(choice);
  }

  #readChoice(choice: Json): void {
    const delta = object(choice.delta) ?? object(choice.message) ?? {};
    const parts = Array.isArray(delta.content) ? delta.content : [delta.content];
    for (const part of parts) this.#keep(textOfPart(part));
    const reasons = [delta.reasoning_content, delta.reasoning, delta.reasoning_text];
    if (reasons.some((text) => typeof text === "string" && text !== "") || parts.some(isThinking))
      this.#learn({ hasReasoning: true });
    if (typeof delta.refusal === "string" && delta.refusal !== "")
      this.#learn({ refusal: (this.#facts.refusal ?? "") + delta.refusal });
    const tool = object((Array.isArray(delta.tool_calls) ? delta.tool_calls : [])[0]);
    if (tool !== undefined) {
      const name = object(tool.function)?.name;
      this.#learn({ tool: typeof name === "string" ? name : "" });
      this.enough ??= "tool";
    }
    if (typeof choice.finish_reason === "string" && choice.finish_reason !== "")
      this.#learn({ finishReason: choice.finish_reason });
  }

  #keep(text: string): void {
    if (text === "") return;
    this.#pieces.push(text);
    this.#replyBytes += Buffer.byteLength(text);
    this.#options.onProgress?.(this.#replyBytes);
    if (this.#replyBytes > this.#options.maxReplyBytes) this.enough ??= "too_large";
  }

  #learn(facts: Partial<Omit<CompletionFacts, "text" | "replyBytes">>): void {
    this.#facts = { ...this.#facts, ...facts };
  }
}

/** Text of a content part; Mistral streams lists of parts, everybody else text. */
function textOfPart(part: unknown): string {
  if (typeof part === "string") return part;
  const { type, text } = object(part) ?? {};
  return type === "text" && typeof text === "string" ? text : "";
}

function isThinking(part: unknown): boolean {
  return object(part)?.type === "thinking";
}

/** `prompt_tokens` hold the cached ones too; kit's `input` does not. */
function readUsage(usage: Json): { usage?: Usage; costUsd?: number } {
  const prompt = tokens(usage.prompt_tokens);
  const output = tokens(usage.completion_tokens);
  const total = tokens(usage.total_tokens);
  const cacheRead = tokens(object(usage.prompt_tokens_details)?.cached_tokens);
  const read = {
    ...(prompt !== undefined && { input: Math.max(0, prompt - (cacheRead ?? 0)) }),
    ...(output !== undefined && { output }),
    ...(cacheRead !== undefined && { cacheRead }),
    ...(total !== undefined && { total }),
  };
  // Servers that do not count say zero.
  const counted = (prompt ?? 0) + (output ?? 0) + (total ?? 0) > 0;
  const cost = usage.cost;
  return {
    ...(counted && { usage: read }),
    ...(typeof cost === "number" && cost > 0 && { costUsd: cost }),
  };
}

function tokens(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function parse(text: string): Json | undefined {
  try {
    return object(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function object(value: unknown): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Json)
    : undefined;
}
