/** Takes up to `width` blanks off each line, as Markdown does for a fence that is indented. */
export function outdent(text: string, width: number): string {
  if (width === 0) return text;
  return text
    .split("\n")
    .map((line) => line.slice(Math.min(width, line.length - line.trimStart().length)))
    .join("\n");
}
