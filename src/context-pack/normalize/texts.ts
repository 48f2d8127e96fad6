/** Where a path can begin in free text: not in the middle of another path. */
const INSIDE_A_PATH = /[\w./~-]/;

/**
 * Free text with absolute paths inside the repository made relative. Outside ones stay as they
 * are: they are words here, nothing is opened by them.
 */
function relativizeText(text: string, root: string): string {
  if (root.length < 2 || !text.includes(root)) return text;
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(root); at !== -1; at = text.indexOf(root, at + root.length)) {
    const after = text[at + root.length] ?? "";
    const isWhole = after === "/" || after === "" || !INSIDE_A_PATH.test(after);
    const start = text.slice(from, at).endsWith("file://") ? at - "file://".length : at;
    if (!isWhole || INSIDE_A_PATH.test(text[start - 1] ?? " ")) continue;
    parts.push(text.slice(from, start), after === "/" ? "" : ".");
    from = at + root.length + (after === "/" ? 1 : 0);
  }
  return [...parts, text.slice(from)].join("");
}

/** A text that a model wrote, as a pack may hold it: no NUL, no blanks at its ends. */
export function cleanText(text: string, root: string): string {
  return relativizeText(text.replaceAll("\0", "\uFFFD"), root).trim();
}

/** Cleaned texts, empty and repeated ones left out. */
export function cleanTexts(texts: readonly string[], root: string): string[] {
  return [...new Set(texts.map((text) => cleanText(text, root)))].filter((text) => text !== "");
}
