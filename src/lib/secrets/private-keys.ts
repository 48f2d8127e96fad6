import { mask } from "./values.ts";

/** No key is longer; what is farther apart belongs to two texts. */
const maxKeyChars = 64 * 1024;

/** A PEM or PGP private key, from one marker line to the other; without the second, lines of base64. */
export function redactPrivateKeys(text: string): string {
  const begin = /-----BEGIN ([A-Z0-9 ]{0,40})PRIVATE KEY( BLOCK)?-----/g;
  const endOf = endFinder(text);
  let result = "";
  let from = 0;
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const bodyStart = match.index + match[0].length;
    const endMarker = `-----END ${match[1] ?? ""}PRIVATE KEY${match[2] ?? ""}-----`;
    const endAt = endOf(endMarker, bodyStart);
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

/** Finds the next end marker; looks no further than once for each, however many keys begin. */
function endFinder(text: string): (marker: string, from: number) => number {
  const found = new Map<string, number>();
  return (marker, from) => {
    const known = found.get(marker);
    if (known !== undefined && (known === -1 || known >= from)) return known;
    const at = text.indexOf(marker, from);
    found.set(marker, at);
    return at;
  };
}

/** Code that only names the markers has no line of its own between them; a template a placeholder. */
function holdsKey(body: string): boolean {
  const inner = body.replaceAll(/\\r|\\n|[\s"'`+,>|]/g, "");
  if (inner === "" || inner === mask) return false;
  if (/^(?:\$\{?[\w.]+\}?|\{\{.*\}\}|%s|\.{2,}|…|<[^>]*>)$/.test(inner)) return false;
  return /^[ \t]*(?:[\r\n]|\\n|\\r)/.test(body) || /[A-Za-z0-9+/=]{40}/.test(body);
}

function endOfBase64(text: string, from: number): number {
  const line =
    /(?:\r?\n|\\n)[ \t>+|-]{0,16}(?:[A-Za-z0-9+/=]{16,}|[A-Z][A-Za-z-]{2,30}: [^\r\n]{0,200}|(?=\r?\n[A-Za-z0-9+/=]{16}))/y;
  let end = from;
  for (;;) {
    line.lastIndex = end;
    if (line.exec(text) === null) return end;
    end = line.lastIndex;
  }
}
