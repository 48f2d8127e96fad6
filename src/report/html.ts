import { visible } from "./visible.ts";

/** Markup that is known to be sound; everything else is text and is escaped where it is put in. */
export class Html {
  readonly markup: string;

  /** Only `html` and `style` make one. */
  constructor(markup: string) {
    this.markup = markup;
  }
}

/** What may stand in a template. `undefined` and `false` are nothing. */
export type Part = Html | string | number | false | undefined | readonly Part[];

/** Markup from a template: its own text is markup, what is put in is escaped unless it is `Html`. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let markup = texts[0] ?? "";
  for (const [index, part] of parts.entries()) markup += markupOf(part) + (texts[index + 1] ?? "");
  return new Html(markup);
}

function markupOf(part: Part): string {
  if (part instanceof Html) return part.markup;
  if (typeof part === "string") return escaped(part);
  if (typeof part === "number") return String(part);
  return part === undefined || part === false ? "" : part.map(markupOf).join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as content or as a quoted attribute. */
export function escaped(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
