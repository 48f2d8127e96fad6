import type { Failure } from "./failure.ts";
import type { Binding, Candidate } from "./routing.ts";

/** Tokens as the provider counted them; absent means unknown, never zero. */
export interface Usage {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly total?: number;
}

/** One request to a model. */
export interface CallRequest {
  readonly candidate: Candidate;
  readonly systemPrompt: string;
  readonly prompt: string;
  /** No byte for this long ends the call. */
  readonly idleTimeoutMs: number;
  /** The whole call. */
  readonly timeoutMs: number;
  /** Bytes; a longer reply is `reply_too_large`. */
  readonly maxReplyBytes: number;
  readonly signal: AbortSignal;
  /** Bytes of reply seen so far, for a live display; may be called often. */
  readonly onProgress?: (replyBytes: number) => void;
  /**
   * The reply is whole, while the program that gave it still ends; the call may yet fail. Not every
   * adapter knows so early; one that was wrong calls it again.
   */
  readonly onReply?: (text: string) => void;
}

/** What came of it. `servedBy` is who answered, as `provider/model`. */
export type CallResult =
  | {
      readonly ok: true;
      readonly text: string;
      readonly usage?: Usage;
      readonly costUsd?: number;
      readonly servedBy: string;
      /** What was irregular or said on stderr; for the record only. */
      readonly notes?: readonly string[];
    }
  | {
      readonly ok: false;
      readonly failure: Failure;
      /** ISO time at which a spent quota returns, where the adapter was told. */
      readonly resetAt?: string;
      /** A failed call can cost money too. */
      readonly usage?: Usage;
      readonly costUsd?: number;
      /** Text that arrived before the failure; for the record only. */
      readonly partialText?: string;
      /** What was irregular or said on stderr; for the record only. */
      readonly notes?: readonly string[];
    };

/** A model an adapter could call on this machine. */
export interface AdapterModel {
  readonly provider: string;
  readonly model: string;
  readonly contextWindow?: number;
  readonly reasoning?: boolean;
  readonly vision?: boolean;
  /** Where its API stands, where the adapter says so. */
  readonly baseUrl?: string;
  /** Absent when the adapter knows no price. */
  readonly price?: Binding["price"];
}

/** A way to call models. Adapters hold no routing and no retries of their own. */
export interface Adapter {
  readonly name: string;
  /** Finds the program and its version. @throws KitError `environment` with the mending command. */
  check(signal?: AbortSignal): Promise<{ readonly program: string; readonly version: string }>;
  call(request: CallRequest): Promise<CallResult>;
  /** What `kit init` and `kit models` show. */
  models(signal?: AbortSignal): Promise<readonly AdapterModel[]>;
}
