import type { Usage } from "../../contracts/index.ts";
import { stripColour } from "../../lib/text.ts";

/** What kit reads of pi's assistant message; everything else is left alone. */
export interface AssistantMessage {
  readonly provider: string;
  readonly model: string;
  /** The name the server answered under, where it differs from `model`. */
  readonly responseModel?: string;
  readonly stopReason: string;
  readonly rawStopReason?: string;
  readonly errorMessage?: string;
  readonly text: string;
  readonly hasReasoning: boolean;
  readonly toolName?: string;
  /** Absent when the server sent none: pi then reports zeros. */
  readonly usage?: Usage;
  /** USD by pi's own price; zero where it has none. */
  readonly costUsd: number;
}

/** A model as pi names it. */
export type ModelName = Pick<AssistantMessage, "provider" | "model">;

/** Why kit itself ended a pi that would have gone on. */
export type Stopped = "too_large" | "tool_call" | "wrong_model" | "lingering";

/** Everything a run of pi said, read from its event stream. */
export interface StreamFacts {
  /** Each model answer, failed ones too; the last one counts. */
  readonly messages: readonly AssistantMessage[];
  /** The model pi asked, as it says when an answer begins. */
  readonly asked: ModelName | undefined;
  /** True once pi said that no more comes. */
  readonly settled: boolean;
  /** Bytes of reply text streamed so far. */
  readonly replyBytes: number;
  readonly stopped: Stopped | undefined;
  /** Lines on stdout that are no events (a version manager's banner), shortened. */
  readonly noise: readonly string[];
}

export interface EventReaderOptions {
  /** The model that is to answer; an answer of another one is not waited for. */
  readonly wanted: ModelName;
  readonly lastEvent: "agent_settled" | "agent_end";
  readonly maxReplyBytes: number;
  /** A pi that said its last word but does not exit is ended after this. */
  readonly lingerMs: number;
  /** Ends pi. */
  readonly stop: () => void;
  readonly onProgress?: (replyBytes: number) => void;
  /** pi said that no more comes. */
  readonly onSettled?: (last: AssistantMessage | undefined) => void;
}

const maxNoiseLines = 20;
const eventHead = /^\{"type":"(?<type>[a-z_]+)"/;

/**
 * Reads pi's JSON events line by line. Of a reply's stream (`message_update`, quadratic in size
 * before pi 0.84) only the length of the new text is taken, unparsed; of the end only
 * `message_end` of the assistant is parsed, so memory is bounded by one reply.
 */
export class EventReader {
  readonly #options: EventReaderOptions;
  readonly #messages: AssistantMessage[] = [];
  readonly #noise: string[] = [];
  #asked: ModelName | undefined;
  #settled = false;
  #replyBytes = 0;
  #stopped: Stopped | undefined;
  #linger: NodeJS.Timeout | undefined;

  constructor(options: EventReaderOptions) {
    this.#options = options;
  }

  /** One line of stdout, without its LF. */
  readonly onLine = (line: Buffer): void => {
    const type = eventHead.exec(line.toString("latin1", 0, 64))?.groups?.type;
    if (type === undefined) this.#keepNoise(line);
    else if (type === "message_update") this.#countText(line);
    else if (type === "message_start") this.#readStart(line);
    else if (type === "message_end") this.#readMessage(line);
    else if (type === this.#options.lastEvent) this.#settle();
  };

  /** Once the process is gone. */
  finish(): StreamFacts {
    clearTimeout(this.#linger);
    return {
      messages: this.#messages,
      asked: this.#asked,
      settled: this.#settled,
      replyBytes: this.#replyBytes,
      stopped: this.#stopped,
      noise: this.#noise,
    };
  }

  #countText(line: Buffer): void {
    const bytes = textDeltaBytes(line);
    if (bytes === 0) return;
    this.#replyBytes += bytes;
    this.#options.onProgress?.(this.#replyBytes);
    if (this.#replyBytes > this.#options.maxReplyBytes) this.#stop("too_large");
  }

  /** pi matches names loosely: seen at the start, a wrong model's long answer is not paid for. */
  #readStart(line: Buffer): void {
    const message = line.length < 65_536 ? parseAssistantMessage(line) : undefined;
    if (message === undefined) return;
    this.#asked = { provider: message.provider, model: message.model };
    if (!isSameName(this.#asked, this.#options.wanted)) this.#stop("wrong_model");
  }

  #readMessage(line: Buffer): void {
    const message = parseAssistantMessage(line);
    if (message === undefined) return;
    this.#messages.push(message);
    // No tool is offered and pi has no turn limit: it would ask again, about 100 times a second.
    if (message.stopReason === "toolUse") this.#stop("tool_call");
    else if (Buffer.byteLength(message.text) > this.#options.maxReplyBytes) this.#stop("too_large");
  }

  #settle(): void {
    this.#settled = true;
    clearTimeout(this.#linger);
    this.#linger = setTimeout(() => this.#stop("lingering"), this.#options.lingerMs);
    this.#options.onSettled?.(this.#messages.at(-1));
  }

  #stop(reason: Stopped): void {
    this.#stopped ??= reason;
    this.#options.stop();
  }

  #keepNoise(line: Buffer): void {
    if (this.#noise.length >= maxNoiseLines) return;
    const text = stripColour(line.toString("utf8", 0, 400)).trim();
    if (text !== "") this.#noise.push(text.slice(0, 200));
  }
}

const textDelta = Buffer.from('"type":"text_delta"');
const deltaKey = Buffer.from('"delta":"');
const quote = 0x22;
const backslash = 0x5c;

/** Bytes of new text in a `message_update` line, escapes counted as they stand; 0 for other updates. */
function textDeltaBytes(line: Buffer): number {
  // Both stand in the first part of a line, in front of what 0.73 repeats of the message so far.
  const head = line.subarray(0, 4096);
  const type = head.indexOf(textDelta);
  if (type === -1) return 0;
  const key = head.indexOf(deltaKey, type);
  if (key === -1) return 0;
  const start = key + deltaKey.length;
  for (let end = line.indexOf(quote, start); end !== -1; end = line.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (line[end - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return end - start;
  }
  return line.length - start;
}

/** True for one model of pi; case is not told apart, as pi does not. */
export function isSameName(one: ModelName, other: ModelName): boolean {
  const nameOf = ({ provider, model }: ModelName): string => `${provider}/${model}`.toLowerCase();
  return nameOf(one) === nameOf(other);
}

type Json = Record<string, unknown>;

/** The assistant's message of a `message_start` or `message_end` line; undefined for other roles and broken lines. */
function parseAssistantMessage(line: Buffer): AssistantMessage | undefined {
  let event: unknown;
  try {
    event = JSON.parse(line.toString("utf8"));
  } catch {
    // Cut off by a killed pi: as if it had not come.
    return undefined;
  }
  const message = (event as { message?: Json }).message;
  if (message?.role !== "assistant") return undefined;
  const content = (Array.isArray(message.content) ? message.content : []) as Json[];
  const usage = readUsage(message.usage as Json | undefined);
  const tool = content.find(({ type }) => type === "toolCall");
  return {
    provider: text(message.provider),
    model: text(message.model),
    stopReason: text(message.stopReason),
    text: content.map((part) => (part.type === "text" ? text(part.text) : "")).join(""),
    hasReasoning: content.some(({ type }) => type === "thinking"),
    costUsd: number((message.usage as { cost?: Json } | undefined)?.cost?.total),
    ...optional("responseModel", message.responseModel),
    ...optional("rawStopReason", message.rawStopReason),
    ...optional("errorMessage", message.errorMessage),
    ...optional("toolName", tool?.name),
    ...(usage === undefined ? {} : { usage }),
  };
}

function readUsage(usage: Json | undefined): Usage | undefined {
  if (usage === undefined) return undefined;
  const read = {
    input: number(usage.input),
    output: number(usage.output),
    cacheRead: number(usage.cacheRead),
    cacheWrite: number(usage.cacheWrite),
    total: number(usage.totalTokens),
  };
  return Object.values(read).every((tokens) => tokens === 0) ? undefined : read;
}

function optional<K extends string>(key: K, value: unknown): { [P in K]?: string } {
  return typeof value === "string" ? ({ [key]: value } as { [P in K]?: string }) : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
