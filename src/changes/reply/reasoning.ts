const opening =
  /^<(think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad|[a-z]{1,20}-content-[0-9a-z]{16,64})>/i;
const closing =
  /<\/(?:think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad)>\s{0,20}$/i;

/** The edge of reasoning that a line is; `name` is that of the tag. */
export type ReasoningEdge =
  | { readonly kind: "opening"; readonly name: string }
  | { readonly kind: "closing" };

/** Reads a line outside any block as the edge of a reasoning block. */
export function readReasoningEdge(line: string): ReasoningEdge | undefined {
  if (!line.includes("<")) return undefined;
  const name = opening.exec(line.trimStart().slice(0, 100))?.[1];
  if (name !== undefined) return { kind: "opening", name };
  return closing.test(line.slice(-60)) ? { kind: "closing" } : undefined;
}

/**
 * The line behind the reasoning that opens at `start`; undefined when it never closes: the model
 * was cut off, or never left off thinking.
 */
export function endOfReasoning(
  lines: readonly string[],
  start: number,
  name: string,
): number | undefined {
  const end = `</${name}>`.toLowerCase();
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line.includes("</") && line.toLowerCase().includes(end)) return at + 1;
  }
  return undefined;
}
