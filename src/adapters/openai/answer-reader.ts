import type { CallRequest } from "../../contracts/index.ts";
import { isSameModel } from "../same-model.ts";
import { CompletionReader, type CompletionFacts } from "./completion.ts";
import type { HttpHead } from "./http.ts";
import { EventStream } from "./sse.ts";

/** What an endpoint's answer held. */
export interface AnswerFacts {
  /** Absent: no answer began. */
  readonly head: HttpHead | undefined;
  /** Text of an answer that is no completion: an error's body, a web page; shortened. */
  readonly body: string;
  readonly facts: CompletionFacts;
  /** More came in one piece than any reply may be. */
  readonly tooLarge: boolean;
}

/** Of a body that is no completion this much is read. */
const maxErrorBytes = 64 * 1024;

/** Reads the bytes of one answer: a stream, a whole completion, or an error. */
export class AnswerReader {
  readonly #completion: CompletionReader;
  readonly #events: EventStream;
  readonly #lingering = new AbortController();
  readonly #lingerMs: number;
  /** JSON escapes line breaks and quotes, and a whole answer is one text. */
  readonly #maxBytes: number;
  #linger: NodeJS.Timeout | undefined;
  #head: HttpHead | undefined;
  #kind: "stream" | "whole" | "other" = "other";
  #body: Buffer[] = [];
  #bodyBytes = 0;
  #tooLarge = false;

  constructor(request: CallRequest, lingerMs: number) {
    const { model } = request.candidate.binding;
    this.#lingerMs = lingerMs;
    this.#maxBytes = 3 * request.maxReplyBytes + 8 * 1024 * 1024;
    this.#completion = new CompletionReader({
      maxReplyBytes: request.maxReplyBytes,
      isWanted: (answered) => isSameModel(model, answered),
      onProgress: request.onProgress,
    });
    this.#events = new EventStream(this.#completion.onEvent, this.#maxBytes);
  }

  /** Aborted when a stream stays open too long after its finish reason. */
  get lingered(): AbortSignal {
    return this.#lingering.signal;
  }

  readonly onHead = (head: HttpHead): void => {
    this.#head = head;
    this.#kind = head.status === 200 ? kindOf(String(head.headers["content-type"])) : "other";
  };

  /** False once the rest is not wanted. */
  readonly onBytes = (chunk: Buffer): boolean => {
    if (this.#kind !== "stream") return this.#keep(chunk);
    this.#tooLarge = !this.#events.push(chunk);
    if (this.#linger === undefined && this.#completion.finished())
      this.#linger = setTimeout(() => this.#lingering.abort(), this.#lingerMs);
    return !this.#tooLarge && this.#completion.enough === undefined;
  };

  /** Once nothing more comes. */
  finish(): AnswerFacts {
    clearTimeout(this.#linger);
    const body = Buffer.concat(this.#body).toString("utf8");
    if (this.#kind === "stream" && this.#completion.enough === undefined) this.#events.finish();
    if (this.#kind === "whole" && !this.#tooLarge) this.#completion.readWhole(body);
    return {
      head: this.#head,
      body: this.#kind === "other" ? body : "",
      facts: this.#completion.facts(),
      tooLarge: this.#tooLarge,
    };
  }

  #keep(chunk: Buffer): boolean {
    const limit = this.#kind === "whole" ? this.#maxBytes : maxErrorBytes;
    this.#body.push(chunk.subarray(0, limit - this.#bodyBytes));
    this.#bodyBytes += chunk.length;
    this.#tooLarge = this.#kind === "whole" && this.#bodyBytes > limit;
    return this.#bodyBytes <= limit;
  }
}

/** Some servers stream under a plain text's type or none; a page of a sign-in portal is HTML. */
function kindOf(contentType: string): "stream" | "whole" | "other" {
  if (/^application\/(?:[\w.-]+\+)?json\b/i.test(contentType)) return "whole";
  return /html/i.test(contentType) ? "other" : "stream";
}
