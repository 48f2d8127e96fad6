import { html, Html, type Part } from "./html.ts";
import { styleSheet } from "./style.ts";

/** A part of a page with a heading of its own. */
export interface Section {
  /** Unique in the page; links lead to it. */
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

/** What stands around the sections. */
export interface Page {
  /** Of the browser's window. */
  readonly title: string;
  readonly kitVersion: string;
  readonly header: Html;
  readonly sections: readonly Section[];
  readonly footer: Html;
}

/** By this kit knows a page of its own again. */
export const generatorMark = '<meta name="generator" content="kit ';

/** Nothing is loaded and nothing runs, whatever the page holds (https://www.w3.org/TR/CSP3). */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The whole document. */
export function page({ title, kitVersion, header, sections, footer }: Page): string {
  return html`<!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        ${new Html(generatorMark)}${kitVersion}">
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        <style>
          ${new Html(styleSheet)}
        </style>
      </head>
      <body>
        <header class="top">
          ${header}
          <nav aria-label="Contents">
            <ul>
              ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
            </ul>
          </nav>
        </header>
        <main>
          ${sections.map(
            ({ id, title, body }) =>
              html` <section aria-labelledby="${id}">
                <h2 id="${id}">${title}</h2>
                ${body}
              </section>`,
          )}
        </main>
        <footer>${footer}</footer>
      </body>
    </html> `.markup;
}

/** Names and values beside each other; without a value a row is left out. */
export function facts(rows: readonly (readonly [name: string, value: Part])[]): Html {
  const told = rows.filter(([, value]) => value !== undefined && value !== "");
  return html`<dl class="facts">
    ${told.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** What a column of a table holds: figures stand at the right. */
export interface Column {
  readonly title: string;
  readonly isFigure?: boolean;
  /** A class for its cells. */
  readonly kind?: string;
}

/**
 * A table whose first column names the row; a part beyond the columns stands below the row, across
 * all of them. The caption is for those who cannot see what it is.
 */
export function table(
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly Part[])[],
  kind = "",
): Html {
  return html`<table class="${`table ${kind}`.trim()}">
    <caption class="unseen">
      ${caption}
    </caption>
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col" ${classOf(column)}>${column.title}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => rowView(row, columns))}
    </tbody>
  </table>`;
}

function rowView(row: readonly Part[], columns: readonly Column[]): Html {
  const [name, ...cells] = row.slice(0, columns.length);
  const under = row[columns.length];
  const [first = { title: "" }, ...others] = columns;
  return html`<tr class="${under === undefined ? "row" : "row joined"}">
      <th scope="row" ${classOf(first)}>${name}</th>
      ${cells.map((cell, index) => html`<td ${classOf(others[index])}>${cell}</td>`)}
    </tr>
    ${
      under !== undefined &&
      html`<tr>
        <td colspan="${columns.length}">${under}</td>
      </tr>`
    }`;
}

function classOf({ isFigure, kind }: Column = { title: "" }): Html {
  const classes = [...(isFigure === true ? ["figure"] : []), ...(kind === undefined ? [] : [kind])];
  return classes.length === 0 ? html`` : html`class="${classes.join(" ")}"`;
}

/** What is good or bad, never by colour alone. */
export type Tone = "good" | "bad" | "quiet" | "warning";

/** A word with a mark in front of it. */
export function badge(tone: Tone, text: string): Html {
  const marks = { good: "✓", bad: "✗", warning: "!", quiet: "–" } as const;
  return html`<span class="badge ${tone}"
    ><span aria-hidden="true">${marks[tone]}</span> ${text}</span
  >`;
}

/** Closed until it is asked for. */
export function folded(summary: Part, body: Part, isOpen = false): Html {
  return html`<details${isOpen && new Html(" open")}><summary>${summary}</summary>${body}</details>`;
}

/** Text as a program printed it, bounded. */
export function printed(text: string): Html {
  return html`<pre class="printed">${text}</pre>`;
}
