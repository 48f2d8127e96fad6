import type { Item } from "./dialect.ts";

/** An item whose lines are still gathering. */
export class OpenItem {
  readonly line: number;
  /** Column from which its further lines are its own. */
  readonly column: number;
  private readonly lines: string[];
  private blanks = 0;

  constructor(line: number, column: number, first: string) {
    this.line = line;
    this.column = column;
    this.lines = [first];
  }

  /** Whether a blank line stands between its last line and the next. */
  get isInterrupted(): boolean {
    return this.blanks > 0;
  }

  /** Blank lines count only where the item goes on after them. */
  blank(): void {
    this.blanks++;
  }

  add(text: string): void {
    for (; this.blanks > 0; this.blanks--) this.lines.push("");
    this.lines.push(text);
  }

  /** A nested bullet becomes part of the line above it. */
  fold(text: string, between = " "): void {
    this.blanks = 0;
    this.lines.push(`${this.lines.pop() ?? ""}${between}${text}`);
  }

  get item(): Item {
    return { text: this.lines.join("\n").trim(), line: this.line };
  }
}
