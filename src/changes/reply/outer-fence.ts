import { closesFence, readFence } from "./fences.ts";

const wrapperInfo = /^(?:|md|mdx|markdown|text|txt|plaintext)$/i;

/**
 * The lines of a reply without the one fence around all of it, put blank so that line numbers
 * stay. Only where the inner fences pair up without it and one of them has a caption: a fence
 * that holds a list of files, or a file of its own, is no wrapper.
 */
export function unwrapReply(
  lines: readonly string[],
  isCaption: (line: string) => boolean,
): readonly string[] {
  let first = 0;
  let last = lines.length - 1;
  while (first < last && isBlank(lines[first])) first += 1;
  while (last > first && isBlank(lines[last])) last -= 1;
  const outer = readFence(lines[first] ?? "");
  if (outer === undefined || outer.sign === "<" || !wrapperInfo.test(outer.info)) return lines;
  if (first === last || !closesFence(lines[last] ?? "", outer)) return lines;
  if (!pairsUp(lines, first + 1, last, isCaption)) return lines;
  return lines.with(first, "").with(last, "");
}

function pairsUp(
  lines: readonly string[],
  start: number,
  end: number,
  isCaption: (line: string) => boolean,
): boolean {
  let open = undefined as ReturnType<typeof readFence>;
  let hasCaption = false;
  for (let at = start; at < end; at += 1) {
    const line = lines[at] ?? "";
    if (open !== undefined) {
      if (closesFence(line, open)) open = undefined;
      continue;
    }
    open = readFence(line);
    if (open === undefined) continue;
    const above = isBlank(lines[at - 1]) ? at - 2 : at - 1;
    hasCaption ||= above >= start && isCaption(lines[above] ?? "");
  }
  return open === undefined && hasCaption;
}

function isBlank(line: string | undefined): boolean {
  return (line ?? "").trim() === "";
}
