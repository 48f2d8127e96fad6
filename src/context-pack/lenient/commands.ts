import type { Findings, Item, SectionBody } from "../markdown/dialect.ts";
import type { Line } from "../markdown/lines.ts";
import { blockAt } from "./blocks.ts";
import { lenientItems } from "./items.ts";
import { isPlaceholder } from "./placeholders.ts";

/** Commands of items and of fenced blocks, without prompts, remarks and comments. */
export function lenientCommands(body: SectionBody, findings: Findings): Item[] {
  const commands: Item[] = [];
  let rest: Line[] = [];
  const takeRest = (): void => {
    for (const { text, line } of lenientItems({ ...body, lines: rest }, findings)) {
      for (const command of (severalSpans(text) ?? [text]).map(cleanCommand)) {
        if (command !== "" && !isPlaceholder(command, body.name))
          commands.push({ text: command, line });
      }
    }
    rest = [];
  };
  for (let i = 0; i < body.lines.length; i++) {
    const line = body.lines[i];
    if (!line) break;
    const block = blockAt(body.lines, i);
    if (block) {
      takeRest();
      commands.push(...blockCommands(block.content, line.number));
      i = block.last;
    } else rest.push(line);
  }
  takeRest();
  return commands;
}

/** `` `npm test`, `npm run lint` `` states two commands. */
function severalSpans(text: string): readonly string[] | undefined {
  const isList = /^`[^`]+`(?:(?:[ \t]*,|[ \t]+(?:and|or|&))[ \t]*`[^`]+`)+[.;]?$/i.test(
    text.trim(),
  );
  return isList ? text.match(/`[^`]+`/g)?.slice() : undefined;
}

/** A line each; a `\` at the end of a line goes on in the next. */
function blockCommands(content: string, fenceLine: number): Item[] {
  const commands: Item[] = [];
  let open = "";
  for (const [index, text] of content.split("\n").entries()) {
    const line = `${open}${open === "" ? text.trim() : text.trimEnd()}`;
    open = line.endsWith("\\") ? `${line}\n` : "";
    const command = open === "" ? withoutComment(withoutPrompt(line)) : "";
    if (command !== "") commands.push({ text: command, line: fenceLine + index + 1 });
  }
  return commands;
}

/** The command that an item states: `` `npm test` — runs all `` is `npm test`. */
export function cleanCommand(text: string): string {
  const bare = text.trim().replace(/^(\*\*|"|')([^*"']+)\1$/, "$2");
  const ticks = bare.startsWith("`") ? spanWithRemark(bare) : spanAfterWord(bare);
  if (ticks !== undefined) return withoutComment(withoutPrompt(ticks));
  const isTicked = bare.length > 2 && bare.startsWith("`") && bare.endsWith("`");
  const command = isTicked ? bare.slice(1, -1) : withoutRemark(bare);
  return withoutComment(withoutPrompt(command ?? ""));
}

/** `npm test — all of it`, `npm test (all of it)`: no shell takes a bracket there. */
function withoutRemark(text: string): string {
  const [command = ""] = text.split(/\s[—–]\s/);
  return command.replace(/(?<=\w)[ \t]+\([^()$]{1,200}\)\.?$/, "");
}

function spanWithRemark(text: string): string | undefined {
  const span = /^`([^`]+)`(?=[\s,;:.—–(]|$)/.exec(text);
  return span?.[1];
}

function spanAfterWord(text: string): string | undefined {
  return (
    /^(?:run|execute|use|[^`:]{1,40}:\**)\s*`([^`]+)`(?:[\s.,;:—–(]|$)/i.exec(text)?.[1] ??
    /^[A-Z][a-z]+(?:,? [\w'’,()/-]+){1,16}:? `([^`]+)`(?:[\s.,;:—–(]|$)/.exec(text)?.[1]
  );
}

function withoutPrompt(command: string): string {
  return command
    .trim()
    .replace(/^(?:[$>%]|#(?=[ \t]*\$))[ \t]+/, "")
    .trim();
}

/** Drops a comment that starts outside quotes. */
function withoutComment(command: string): string {
  let quote = "";
  for (let i = 0; i < command.length; i++) {
    const sign = command[i] ?? "";
    if (quote !== "") quote = sign === quote ? "" : quote;
    else if (sign === "'" || sign === '"') quote = sign;
    else if (sign === "#" && (i === 0 || /\s/.test(command[i - 1] ?? ""))) {
      return command.slice(0, i).trim();
    }
  }
  return command;
}
