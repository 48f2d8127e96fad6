import { readFileSync } from "node:fs";
import type { FailureKind } from "../../../src/contracts/index.ts";

/** A message of a provider and what it is. */
export interface KnownMessage {
  readonly kind: FailureKind;
  readonly from: string;
  readonly text: string;
}

/**
 * The messages of one file beside this one: `# kind` heads a section, each line below is
 * `from :: text`, where `⏎` is a line break. Wordings are those that providers publish and clients
 * report, many written down from memory, some close siblings of such; names, keys and numbers are
 * replaced. `kept-aside.txt` was read once the rows stood, and no row was changed for it: whoever
 * mends one of its misses moves it to `messages.txt`.
 */
export function knownMessages(file: "messages.txt" | "kept-aside.txt"): readonly KnownMessage[] {
  let kind: FailureKind = "provider_unknown";
  return readFileSync(new URL(file, import.meta.url), "utf8")
    .split("\n")
    .flatMap((line): KnownMessage[] => {
      if (line.startsWith("# ")) kind = line.slice(2) as FailureKind;
      const at = line.indexOf(" :: ");
      if (at === -1) return [];
      const text = line.slice(at + 4).replaceAll("⏎", "\n");
      return [{ kind, from: line.slice(0, at), text }];
    });
}

/** The mean over the kinds of the harmonic mean of precision and recall. */
export function macroF1(
  results: readonly { readonly kind: FailureKind; readonly got: FailureKind }[],
): number {
  const kinds = [...new Set(results.map(({ kind }) => kind))];
  const scores = kinds.map((one) => {
    const right = results.filter(({ kind, got }) => kind === one && got === one).length;
    const either = results.filter(({ kind, got }) => kind === one || got === one);
    const wrong = either.length - right;
    return (2 * right) / (2 * right + wrong);
  });
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
