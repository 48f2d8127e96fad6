import type { Candidate, ContextPack } from "../contracts/index.ts";
import { prunePack, renderPack } from "../context-pack/index.ts";
import { estimateTokens } from "../lib/text.ts";

/** Tokens of a window that are left to the reply; of a small one, a quarter. */
const REPLY_TOKENS = 8_000;
/** Estimates of parts and of the whole differ by what stands where they meet. */
const SEAM_TOKENS = 2;

/** Tokens that are kept free for the reply. */
export function replyAllowance(window: number | undefined): number {
  return window === undefined ? REPLY_TOKENS : Math.min(REPLY_TOKENS, Math.ceil(window / 4));
}

/** Tokens a prompt may take beside its system prompt; `Infinity` where the window is unknown. */
export function promptRoom(candidate: Candidate | undefined, systemPrompt: string): number {
  const window = candidate?.binding.contextWindow;
  if (window === undefined) return Number.POSITIVE_INFINITY;
  return window - replyAllowance(window) - estimateTokens(systemPrompt);
}

/** A prompt with as much of its pack as there is room for. */
export interface FittedPrompt {
  readonly prompt: string;
  /** One warning for every part of the pack that was left out. */
  readonly cuts: readonly string[];
  /** False: what may never be cut is too much already. */
  readonly fits: boolean;
}

/**
 * Prunes the pack of a prompt, by its own rules, until the final text fits. Nothing is ever cut
 * in the middle: what must stand stays, and then the prompt does not fit.
 * @param room estimated tokens of the whole prompt
 */
export function fitPrompt(
  pack: ContextPack,
  room: number,
  promptWith: (pack: ContextPack) => string,
): FittedPrompt {
  const whole = promptWith(pack);
  const tokens = estimateTokens(whole);
  if (tokens <= room) return { prompt: whole, cuts: [], fits: true };
  const others = tokens - estimateTokens(renderPack(pack)) + SEAM_TOKENS;
  const pruned = prunePack(pack, { maxTokens: room, fileTokens: others });
  const prompt = promptWith(pruned.pack);
  return { prompt, cuts: pruned.cuts, fits: estimateTokens(prompt) <= room };
}
