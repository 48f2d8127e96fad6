import { escapedSign } from "./boundaries.ts";
import { isPasswordKey, isSecretKey } from "./names.ts";
import {
  isAbsent,
  isChosenPassword,
  isDottedName,
  isPlaceholder,
  isRandomLetters,
  isReference,
  isTypeName,
  isWordy,
  mask,
} from "./values.ts";

/** How a value stands beside its name. */
interface NamedValue {
  readonly name: string;
  /** Between name and value: `=`, `: `, … */
  readonly separator: string;
  readonly value: string;
  readonly isQuoted: boolean;
  /** The characters before the name and behind the value; "" at the ends of the text. */
  readonly before: string;
  readonly after: string;
  /** Nothing else stands on the line, or between the quotes around both (`-H "X-Api-Key: x1"`). */
  readonly isWholeLine: boolean;
}

const nameAndSeparator = new RegExp(
  `(?:(${escapedSign})|(?<![\\w$.-]|::))([\\w$.-]{1,80})\\\\?["'\`\\]]{0,2}([ \\t]{0,8}(?::=|=>|[:=](?![:=]))[ \\t]{0,8})`,
  "g",
);
const optionAndSpace = /(?<=(?:^|[\s"'`])--?)()([A-Za-z][\w-]{2,60})([ \t]{1,4})(?![-=])/g;

/** `NAME=value`, `"name": "value"`, `name: value`, `--name value`, where the name is a secret's. */
export function redactNamedValues(text: string): string {
  return redactAfter(redactAfter(text, nameAndSeparator), optionAndSpace);
}

function redactAfter(text: string, names: RegExp): string {
  const spanAt = spanFinder(text);
  let result = "";
  let from = 0;
  names.lastIndex = 0;
  for (let match = names.exec(text); match !== null; match = names.exec(text)) {
    const [whole, escape = "", told = "", separator = ""] = match;
    const name = nameAfter(escape, told);
    if (name === undefined) continue;
    const nameAt = match.index + escape.length;
    const { start, end, isQuoted } = spanAt(match.index + whole.length);
    const isSecret = isSecretValue({
      name,
      separator,
      value: text.slice(start, Math.min(end, start + judgedChars)),
      isQuoted,
      before: escape === "" ? text.charAt(nameAt - 1) : " ",
      after: escapedBreak.test(text.slice(end, end + 2)) ? "\n" : text.charAt(end),
      isWholeLine: standsAlone(text, nameAt, end),
    });
    if (!isSecret) continue;
    result += text.slice(from, start) + mask;
    from = end;
    names.lastIndex = end;
  }
  return result + text.slice(from);
}

const escapedBreak = /^\\[rnt]/;

/** In `C:\token=x` the letter of what looks like an escape is the name's. Undefined: no secret's. */
function nameAfter(escape: string, told: string): string | undefined {
  if (isSecretKey(told)) return told;
  const whole = escape.slice(1) + told;
  return /^\\[a-z]$/.test(escape) && isSecretKey(whole) ? whole : undefined;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
}

/** The part of a value that decides; a longer one is hidden whole. */
const judgedChars = 200;

/** Longer quoted values are texts. */
const maxQuotedChars = 4096;

/** Where the value at a place starts and ends; a run of characters is measured only once. */
function spanFinder(text: string): (at: number) => Span {
  let bareEnd = 0;
  return (at) => {
    const opening = /\\?["'`]/y;
    opening.lastIndex = at;
    const quote = opening.exec(text)?.[0];
    if (quote !== undefined) return quotedSpan(text, at + quote.length, quote);
    if (bareEnd <= at) {
      const bare = /[^\s"'`,;&|<>(){}[\]\\]*/y;
      bare.lastIndex = at;
      bare.exec(text);
      bareEnd = Math.max(at, bare.lastIndex);
    }
    return { start: at, end: bareEnd, isQuoted: false };
  };
}

function quotedSpan(text: string, start: number, quote: string): Span {
  for (let end = start; end < Math.min(text.length, start + maxQuotedChars); end += 1) {
    if (text.startsWith(quote, end)) return { start, end, isQuoted: true };
    const character = text.charAt(end);
    if (character === "\n" || character === "\r") break;
    if (character === "\\") end += 1;
  }
  return { start, end: start, isQuoted: true };
}

const lineStart = new RegExp(
  `(?:^|\\n|${escapedSign})[+>|]?(?:[ \\t\\u001b]|${escapedSign})*(?:[-*] )?(?:export )?["']?$`,
);

function standsAlone(text: string, nameAt: number, valueEnd: number): boolean {
  const quote = text.charAt(nameAt - 1);
  if (/["']/.test(quote) && text.charAt(valueEnd) === quote) return true;
  const lead = text.slice(Math.max(0, nameAt - 200), nameAt);
  const rest = /[ \t]{0,200}(?:#[^\n]{0,200})?(?:\r?\n|\\r|\\n|$)/y;
  rest.lastIndex = valueEnd;
  return lineStart.test(lead) && rest.test(text);
}

function isSecretValue(named: NamedValue): boolean {
  const { name, separator, value, isQuoted, after } = named;
  if (value === "" || value.startsWith(mask)) return false;
  if (isReference(value) || isAbsent(value)) return false;
  if (!isQuoted && /^[([{<]/.test(after)) return false;
  if (/^[\d.]+$/.test(value) && !isPasswordKey(name)) return false;
  // `"auth"` names a method more often than a credential, which is base64 (npm, Docker).
  if (/^_?auth$/i.test(name)) return /^(?=.*\d)[A-Za-z0-9+/]{12,}={0,2}$/.test(value);
  const isEnvironmentLine = /^[A-Z][A-Z0-9_]*$/.test(name) && separator === "=";
  if (isEnvironmentLine) return isQuoted || !isDottedName(value);
  if (isPlaceholder(value)) return false;
  if (isQuoted && isPasswordKey(name) && isChosenPassword(value)) return true;
  if (value.length < 6 || /\s/.test(value) || isTypeName(value) || isWordy(value)) return false;
  if (isQuoted) return /\d/.test(value) || isRandomLetters(value) || /[^\w.:/[\]-]/.test(value);
  if (!/\d/.test(value) || isDottedName(value)) return false;
  return !/^[A-Za-z_$][\w$]*$/.test(value) || named.isWholeLine || isInQuery(named);
}

/** `?token=x1`, `password=x1 ` in a log line, `--token x1`; not `f(token=x1)`. */
function isInQuery({ separator, before, after }: NamedValue): boolean {
  if (separator.trim() === "") return true;
  return separator === "=" && /^[?&;:\s"'-]?$/.test(before) && /^[&\s"']?$/.test(after);
}
