/** A run of characters that look the same. */
export interface Span {
  readonly text: string;
  readonly look: Look;
}

/** How a terminal was told to show a character; colours by their names in ECMA-48. */
export interface Look {
  readonly colour?: string;
  readonly bold?: boolean;
}

interface Cell {
  readonly character: string;
  readonly look: Look;
}

const colours = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

// A control sequence, a line end, or one character.
const tokens = /\u001B\[([\d;?]*)([A-Za-z])|\r|\n|[^\u001B]/gu;

/**
 * What is left on a terminal after `printed`: lines of spans. Knows what kit and git write: colours,
 * bold, carriage return, erase in line; anything else with an escape is an error, so that a picture
 * never shows less than a person saw.
 */
export function screenOf(printed: string, columns: number): Span[][] {
  const lines: Cell[][] = [[]];
  let column = 0;
  let look: Look = {};
  for (const [token, parameters = "", command] of printed.matchAll(tokens)) {
    const line = lines.at(-1) ?? [];
    if (command === "m") look = lookAfter(look, parameters);
    else if (command === "K") line.length = parameters === "2" ? 0 : Math.min(line.length, column);
    else if (command !== undefined)
      throw new Error(`Unknown control sequence ${JSON.stringify(token)}`);
    else if (token === "\r") column = 0;
    else if (token === "\n") {
      lines.push([]);
      column = 0;
    } else {
      if (column === columns) {
        lines.push([]);
        column = 0;
      }
      (lines.at(-1) ?? line)[column] = { character: token, look };
      column += 1;
    }
  }
  while (lines.length > 0 && lines.at(-1)?.length === 0) lines.pop();
  return lines.map(spansOf);
}

function lookAfter(before: Look, parameters: string): Look {
  let { colour, bold } = before;
  for (const code of parameters.split(";").map(Number)) {
    if (code === 0) [colour, bold] = [undefined, undefined];
    else if (code === 1) bold = true;
    else if (code === 22) bold = undefined;
    else if (code === 39) colour = undefined;
    else if (code >= 30 && code <= 37) colour = colours[code - 30];
    else if (code === 90) colour = "gray";
    else throw new Error(`Unknown look ${parameters}`);
  }
  return { ...(colour !== undefined && { colour }), ...(bold !== undefined && { bold }) };
}

function spansOf(cells: readonly Cell[]): Span[] {
  const spans: Span[] = [];
  for (const { character, look } of cells) {
    const last = spans.at(-1);
    if (last && last.look.colour === look.colour && last.look.bold === look.bold) {
      spans[spans.length - 1] = { text: last.text + character, look };
    } else {
      spans.push({ text: character, look });
    }
  }
  return spans;
}
