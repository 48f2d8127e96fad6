const opening =
  /^<(think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad|[a-z]{1,20}-content-[0-9a-f]{16,64}|[a-z]{1,20}-content-[0-9a-z]{24,64})>/i;
const closing =
  /<\/(?:think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad)>\s*$/i;

/** What reasoning a line outside any block begins or ends. */
export type ReasoningLine =
  /** Reasoning up to `next` (counted from 0). */
  | { readonly kind: "block"; readonly next: number }
  /** An end without a beginning: everything before was reasoning. */
  | { readonly kind: "end" }
  /** A beginning without an end: the model was cut off, or never left off thinking. */
  | { readonly kind: "unfinished" };

/** Reads a line outside any block as the edge of a reasoning block. */
export function readReasoning(lines: readonly string[], at: number): ReasoningLine | undefined {
  const line = (lines[at] ?? "").trimStart();
  if (!line.includes("<")) return undefined;
  const name = opening.exec(line.slice(0, 100))?.[1];
  if (name === undefined) {
    return line.length < 2_000 && closing.test(line.slice(-100)) ? { kind: "end" } : undefined;
  }
  const end = `</${name}>`.toLowerCase();
  for (let next = at; next < lines.length; next += 1) {
    if ((lines[next] ?? "").toLowerCase().includes(end)) return { kind: "block", next: next + 1 };
  }
  return { kind: "unfinished" };
}
