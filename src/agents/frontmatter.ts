/** A Markdown file taken apart at its fences. */
export type FrontmatterSplit =
  /** `yaml` starts with an empty line, so that its line numbers are those of the file. */
  | { readonly kind: "split"; readonly yaml: string; readonly body: string }
  /** The file does not start with a fence. */
  | { readonly kind: "none" }
  /** The first fence has no second one. */
  | { readonly kind: "open" };

/**
 * Splits at the fences: `---` alone on the first line and on a later one, blanks behind them
 * forgiven. A rule further down is body. Takes CRLF and gives LF; the body is trimmed.
 */
export function splitFrontmatter(text: string): FrontmatterSplit {
  const lines = text
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .split("\n");
  const isFence = (line: string): boolean => /^---[ \t]*$/.test(line);
  if (!isFence(lines[0] ?? "")) return { kind: "none" };
  const end = lines.findIndex((line, index) => index > 0 && isFence(line));
  if (end === -1) return { kind: "open" };
  const yaml = ["", ...lines.slice(1, end), ""].join("\n");
  return {
    kind: "split",
    yaml,
    body: lines
      .slice(end + 1)
      .join("\n")
      .trim(),
  };
}
