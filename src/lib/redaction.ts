import { isSecretKey, nameSegments } from "./secret-names.ts";
import { tokenShapes } from "./token-shapes.ts";

export { isSecretFile, isSecretName } from "./secret-names.ts";

/** What stands in a secret's place. */
const mask = "[redacted]";

/**
 * The text with its secrets replaced by `[redacted]`: private keys, tokens of known shapes,
 * passwords in URLs, authorization headers and cookies, values of keys with secret names. Time
 * grows with the text's length only; a second pass changes nothing. Code that speaks of secrets
 * without holding one (`password = input()`, `$TOKEN`, `process.env.API_KEY`) stays as it is.
 * Not recognised: a secret of no known shape without a name beside it, and passwords made of a
 * short word alone (`password: "letmein"`) outside `NAME=value` lines.
 */
export function redact(text: string): string {
  let result = redactPrivateKeys(text);
  for (const { pattern } of tokenShapes) result = result.replaceAll(pattern, mask);
  result = redactUrls(result);
  result = redactHeaders(result);
  return redactNamedValues(result);
}

/** From one marker line of a private key to the other; without the second, lines of base64. */
function redactPrivateKeys(text: string): string {
  const begin = /-----BEGIN ([A-Z0-9 ]{0,40})PRIVATE KEY( BLOCK)?-----/g;
  let result = "";
  let from = 0;
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const bodyStart = match.index + match[0].length;
    const endMarker = `-----END ${match[1] ?? ""}PRIVATE KEY${match[2] ?? ""}-----`;
    const endAt = text.indexOf(endMarker, bodyStart);
    const isClosed = endAt !== -1 && endAt - bodyStart < maxKeyChars;
    const bodyEnd = isClosed ? endAt : endOfBase64(text, bodyStart);
    const body = text.slice(bodyStart, bodyEnd);
    if (!holdsKey(body)) continue;
    const lineBreak = /^(?:\r?\n|\\r\\n|\\n)/.exec(body)?.[0] ?? "";
    result += text.slice(from, bodyStart) + lineBreak + mask + lineBreak;
    from = bodyEnd;
    begin.lastIndex = bodyEnd;
  }
  return result + text.slice(from);
}

const maxKeyChars = 64 * 1024;

/** Code that only names the markers has no line of its own between them; a template a placeholder. */
function holdsKey(body: string): boolean {
  const inner = body.replaceAll(/\\r|\\n|[\s"'`+,>|]/g, "");
  if (
    inner === "" ||
    inner === mask ||
    /^(?:\$\{?[\w.]+\}?|\{\{.*\}\}|%s|\.{2,}|…|<[^>]*>)$/.test(inner)
  ) {
    return false;
  }
  return /^\s*(?:[\r\n]|\\n|\\r)/.test(body) || /[A-Za-z0-9+/=]{40}/.test(body);
}

function endOfBase64(text: string, from: number): number {
  const lines =
    /(?:\r?\n|\\n)[ \t>+|-]{0,16}(?:[A-Za-z0-9+/=]{16,}|[A-Z][A-Za-z-]+: [^\r\n]{0,200}|(?=\r?\n))/y;
  let end = from;
  for (;;) {
    lines.lastIndex = end;
    const line = lines.exec(text);
    if (line === null || line[0].length === 0) return end;
    end = lines.lastIndex;
  }
}

/** `scheme://user:password@host`, and `https://token@host`. */
function redactUrls(text: string): string {
  return text
    .replaceAll(
      /(?<![A-Za-z0-9+.-])([A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s/?#@:"'`<>\\]{0,200}:)([^\s/?#"'`<>\\@]{1,300})(?=@)/g,
      (whole, before: string, password: string) =>
        isReference(password) || isPlaceholder(password) ? whole : before + mask,
    )
    .replaceAll(
      /(?<![A-Za-z0-9+.-])(https?:\/\/)([A-Za-z0-9_~.-]{20,300})(?=@)/g,
      (whole, before: string, user: string) => (/\d/.test(user) ? before + mask : whole),
    );
}

/** `Authorization: Bearer …` in all its dresses, `Bearer …` alone, cookies. */
function redactHeaders(text: string): string {
  return text
    .replaceAll(
      /((?:authorization|x-auth)\\?["'`]?[ \t]{0,4}[:=,][ \t]{0,4}\\?["'`]?[ \t]{0,4}(?:Bearer|Basic|Token|Digest|Negotiate|ApiKey|Key)[ \t]{1,4})([^\s"'`,;\\<>]{6,8192})/gi,
      (whole, before: string, value: string) => (isCredential(value) ? before + mask : whole),
    )
    .replaceAll(
      /(?<![A-Za-z0-9_])(Bearer[ \t]{1,4})([A-Za-z0-9._~+/=-]{16,8192})/gi,
      (whole, before: string, value: string) => (/\d/.test(value) ? before + mask : whole),
    )
    .replaceAll(
      /(?<![A-Za-z0-9_-])((?:set-)?cookie:[ \t]{0,4})([A-Za-z0-9_.-]{1,80}=[^\r\n"'`\\]{6,8192})/gi,
      (whole, before: string, value: string) => (/=[^;\s]*\d/.test(value) ? before + mask : whole),
    );
}

function isCredential(value: string): boolean {
  if (isReference(value) || isPlaceholder(value)) return false;
  return /\d/.test(value) || value.length >= 16 || (/[a-z]/.test(value) && /[A-Z]/.test(value));
}

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
  /** The value is all that follows on its line, and the name all that precedes it. */
  readonly isWholeLine: boolean;
}

const nameAndSeparator =
  /(?<![\w$.-])([\w$.-]{1,80})\\?["'`\]]{0,2}([ \t]{0,8}(?::=|=>|[:=](?![:=]))[ \t]{0,8})/g;
const optionAndSpace = /(?<=(?:^|[\s"'`])--?)([A-Za-z][\w-]{2,60})([ \t]{1,4})(?![-=])/g;

/** `NAME=value`, `"name": "value"`, `name: value`, `--name value`, where the name is a secret's. */
function redactNamedValues(text: string): string {
  return redactAfter(redactAfter(text, nameAndSeparator), optionAndSpace);
}

function redactAfter(text: string, names: RegExp): string {
  let result = "";
  let from = 0;
  names.lastIndex = 0;
  for (let match = names.exec(text); match !== null; match = names.exec(text)) {
    const [whole, name = "", separator = ""] = match;
    if (!isSecretKey(name)) continue;
    const valueAt = match.index + whole.length;
    const { start, end, isQuoted } = valueSpan(text, valueAt);
    const named: NamedValue = {
      name,
      separator,
      value: text.slice(start, end),
      isQuoted,
      before: text.charAt(match.index - 1),
      after: text.charAt(end),
      isWholeLine: standsAlone(text, match.index, end),
    };
    if (!isSecretValue(named)) continue;
    result += text.slice(from, start) + mask;
    from = end;
    names.lastIndex = end;
  }
  return result + text.slice(from);
}

function valueSpan(
  text: string,
  at: number,
): { readonly start: number; readonly end: number; readonly isQuoted: boolean } {
  const opening = /\\?["'`]/y;
  opening.lastIndex = at;
  const quote = opening.exec(text)?.[0];
  if (quote === undefined) {
    const bare = /[^\s"'`,;&|<>(){}[\]\\]{0,4096}/y;
    bare.lastIndex = at;
    bare.exec(text);
    return { start: at, end: Math.max(at, bare.lastIndex), isQuoted: false };
  }
  const start = at + quote.length;
  for (let end = start; end < Math.min(text.length, start + 4096); end += 1) {
    if (text.startsWith(quote, end)) return { start, end, isQuoted: true };
    const character = text.charAt(end);
    if (character === "\n" || character === "\r") return { start, end: start, isQuoted: true };
    if (character === "\\") end += 1;
  }
  return { start, end: start, isQuoted: true };
}

function standsAlone(text: string, nameAt: number, valueEnd: number): boolean {
  const lineStart = text.lastIndexOf("\n", nameAt - 1) + 1;
  if (nameAt - lineStart > 200) return false;
  const lead = text.slice(lineStart, nameAt);
  const rest = /[ \t]{0,200}(?:#[^\n]{0,200})?(?:\r?\n|$)/y;
  rest.lastIndex = valueEnd;
  return /^[+>|]?[ \t]*(?:[-*] )?(?:export )?["']?$/.test(lead) && rest.test(text);
}

function isSecretValue(named: NamedValue): boolean {
  const { name, separator, value, isQuoted, after } = named;
  if (value === "" || value.startsWith(mask) || isReference(value) || isPlaceholder(value))
    return false;
  if (!isQuoted && (after === "(" || after === "[" || after === "{" || after === "<")) return false;
  const isEnvironmentLine = /^[A-Z][A-Z0-9_]*$/.test(name) && separator === "=";
  if (isEnvironmentLine) return isQuoted || !isDottedName(value);
  if (value.length < 6 || /\s/.test(value) || /^[\d.]+$/.test(value) || isTypeName(value))
    return false;
  if (isWordy(value)) return false;
  if (isQuoted) return /\d/.test(value) || /^[A-Za-z]{16,}$/.test(value) || /[^\w.:/-]/.test(value);
  if (!/\d/.test(value) || isDottedName(value)) return false;
  return !/^[A-Za-z_$][\w$]*$/.test(value) || named.isWholeLine || isInQuery(named);
}

/** `?token=x1`, `password=x1 ` in a log line, `--token x1`; not `f(token=x1)`. */
function isInQuery({ separator, before, after }: NamedValue): boolean {
  if (separator.trim() === "") return true;
  return separator === "=" && /^[?&;\s"'-]?$/.test(before) && /^[&\s"']?$/.test(after);
}

/** A name for a secret kept elsewhere: `$TOKEN`, `${{ secrets.X }}`, `%X%`, `<token>`, a path. */
function isReference(value: string): boolean {
  return (
    /^(?:\$[A-Za-z_{(]|\$\$|%[\w()]+[%s]?$|<|\{\{?|#\{|@|!|&|\*|op:\/\/|vault:|env[.:]|ref\+|arn:)/.test(
      value,
    ) ||
    /^(?:process\.env|import\.meta|os\.environ|ENV\[|secrets\.|env\.|var\.|local\.|data\.|self\.|this\.)/.test(
      value,
    ) ||
    /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ||
    /\$\{|\{\{|#\{/.test(value) ||
    /^(?:~|\.{1,2})?\/[\w.-]*[/.][\w./-]*$/.test(value)
  );
}

/** Words that stand where a secret would: masks, examples, "no value". */
function isPlaceholder(value: string): boolean {
  return (
    /^(?:[*x•.…_-]+|\[?redacted\]?|none|null|nil|undefined|true|false|yes|no|todo|changeme|change-me|password|passwd|pass|secret|token|postgres|root|admin|user|test|testing|example|string|required|optional|default|empty|hidden|masked|removed|unset|dummy|fake|placeholder)$/i.test(
      value,
    ) || /^<?(?:your|insert|replace|enter|put)[-_ ][A-Za-z_ -]*>?$/i.test(value)
  );
}

/** `config.token2`, `settings.API_KEY`: a place in code. */
function isDottedName(value: string): boolean {
  return /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(value);
}

function isTypeName(value: string): boolean {
  return /^(?:u?int|float|uint|big(?:u?int)|utf|sha|md|hs|rs|es|ps|base|x)-?_?\d+(?:array)?$/i.test(
    value,
  );
}

/** Made of words one of which is a secret's name: `csrf-token`, `test_password_2`, `token1`. */
function isWordy(value: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_.:/-]*$/.test(value) || /\d{3}/.test(value)) return false;
  const segments = nameSegments(value);
  return segments.some((segment) =>
    /^(?:password|passwd|token|secrets?|key|apikey|credentials?|auth)$/.test(segment),
  );
}
