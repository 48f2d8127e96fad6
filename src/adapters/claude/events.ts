import type { Usage } from "../../contracts/index.ts";

type Json = Readonly<Record<string, unknown>>;

/** The last line of a run: what Claude Code says became of it. */
export interface ClaudeResult {
  readonly isError: boolean;
  readonly text: string;
  readonly status?: number;
  readonly errorType?: string;
  /** `max_output_tokens` and the like. */
  readonly apiError?: string;
  readonly terminalReason?: string;
  readonly stopReason?: string;
  readonly usage?: Usage;
  readonly costUsd?: number;
}

/** Everything a run said. */
export interface ClaudeFacts {
  readonly text: string;
  readonly replyBytes: number;
  readonly hasReasoning: boolean;
  /** The model that answers, by its provider's name. */
  readonly model?: string;
  readonly stopReason?: string;
  readonly tool?: string;
  /** Of the answer; the result's, where there is one, counts all requests. */
  readonly usage?: Usage;
  /** The error word of an answer that Claude Code wrote itself: `authentication_failed`, … */
  readonly error?: string;
  /** A subscription's window is spent; seconds since the epoch where it said until when. */
  readonly spent?: { readonly resetsAt?: number };
  readonly result?: ClaudeResult;
}

export interface ClaudeReaderOptions {
  readonly maxReplyBytes: number;
  readonly isWanted: (model: string) => boolean;
  /** Ends the program: what it would do next is not wanted. */
  readonly stop: () => void;
  readonly onProgress?: ((replyBytes: number) => void) | undefined;
}

/** Stop reasons after which Claude Code would ask again by itself. */
const asksAgain = new Set(["max_tokens", "refusal", "tool_use", "pause_turn"]);

/** Reads `--output-format stream-json --include-partial-messages` line by line. */
export class ClaudeReader {
  readonly #options: ClaudeReaderOptions;
  readonly #pieces: string[] = [];
  #facts: Omit<ClaudeFacts, "text" | "replyBytes"> = { hasReasoning: false };
  #replyBytes = 0;
  #stopped = false;

  constructor(options: ClaudeReaderOptions) {
    this.#options = options;
  }

  readonly onLine = (line: Buffer): void => {
    // What it did before the stop reached it is not wanted.
    if (this.#stopped) return;
    const said = parse(line);
    if (said?.type === "stream_event") this.#readStream(object(said.event));
    else if (said?.type === "assistant" && typeof said.error === "string")
      this.#learn({ error: said.error });
    else if (said?.type === "rate_limit_event") this.#readLimit(object(said.rate_limit_info));
    else if (said?.type === "result") this.#learn({ result: readResult(said) });
  };

  facts(): ClaudeFacts {
    return { ...this.#facts, text: this.#pieces.join(""), replyBytes: this.#replyBytes };
  }

  #readStream(event: Json): void {
    if (event.type === "message_start") {
      const { model } = object(event.message);
      if (typeof model !== "string") return;
      this.#learn({ model });
      if (!this.#options.isWanted(model)) this.#stop();
    } else if (event.type === "content_block_start") {
      const { type, name } = object(event.content_block);
      if (type === "thinking") this.#learn({ hasReasoning: true });
      if (type === "tool_use") this.#learn({ tool: typeof name === "string" ? name : "" });
    } else if (event.type === "content_block_delta") {
      const { text } = object(event.delta);
      if (typeof text === "string") this.#keep(text);
    } else if (event.type === "message_delta") {
      const { stop_reason: stopReason } = object(event.delta);
      if (typeof stopReason !== "string") return;
      this.#learn({ stopReason, ...readUsage(object(event.usage)) });
      if (asksAgain.has(stopReason)) this.#stop();
    }
  }

  /** Documented for subscriptions: `{status: "allowed" | "allowed_warning" | "rejected", resetsAt?}`. */
  #readLimit({ status, resetsAt }: Json): void {
    if (status === "rejected")
      this.#learn({ spent: typeof resetsAt === "number" ? { resetsAt } : {} });
  }

  #keep(text: string): void {
    this.#pieces.push(text);
    this.#replyBytes += Buffer.byteLength(text);
    this.#options.onProgress?.(this.#replyBytes);
    if (this.#replyBytes > this.#options.maxReplyBytes) this.#stop();
  }

  #stop(): void {
    this.#stopped = true;
    this.#options.stop();
  }

  #learn(facts: Partial<Omit<ClaudeFacts, "text" | "replyBytes">>): void {
    this.#facts = { ...this.#facts, ...facts };
  }
}

function readResult(said: Json): ClaudeResult {
  // A model it has no price for is counted at another one's.
  const isGuess = Object.values(object(said.modelUsage)).some(
    (model) => object(model).costBasis === "unknown",
  );
  const cost = number(said.total_cost_usd);
  return {
    isError: said.is_error === true || said.subtype !== "success",
    // An error of its own has no text: its subtype says it (`error_max_turns`).
    text: [said.result, said.subtype].find((text) => typeof text === "string") ?? "",
    ...(typeof said.api_error_status === "number" && { status: said.api_error_status }),
    ...text("errorType", said.api_error_type),
    ...text("apiError", said.api_error),
    ...text("terminalReason", said.terminal_reason),
    ...text("stopReason", said.stop_reason),
    ...readUsage(object(said.usage)),
    ...(cost > 0 && !isGuess && { costUsd: cost }),
  };
}

function readUsage(usage: Json): { usage?: Usage } {
  const counted = {
    input: number(usage.input_tokens),
    output: number(usage.output_tokens),
    cacheRead: number(usage.cache_read_input_tokens),
    cacheWrite: number(usage.cache_creation_input_tokens),
  };
  const total = Object.values(counted).reduce((sum, tokens) => sum + tokens, 0);
  return total > 0 ? { usage: { ...counted, total } } : {};
}

function text<K extends string>(key: K, value: unknown): { [P in K]?: string } {
  return typeof value === "string" ? ({ [key]: value } as { [P in K]?: string }) : {};
}

function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

function parse(line: Buffer): Json | undefined {
  try {
    return object(JSON.parse(line.toString("utf8")));
  } catch {
    // A banner of a version manager, or a line cut off by the end of the program.
    return undefined;
  }
}

function object(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}
