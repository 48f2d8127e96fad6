/** What a walk through a document meets; names come without their prefix. */
export interface XmlVisitor {
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  text(text: string): void;
  close(name: string): void;
}

/** Deeper than any report; it bounds what is held. */
const maxDepth = 100;

/** Characters kept of one attribute. */
const maxAttributeChars = 20_000;

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

const attribute = /([^\s=/<>"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;

/**
 * Walks an XML text once, from its start to its end. It knows elements, attributes, text, CDATA,
 * comments and the predefined entities: what test reports are made of. A document type is
 * refused, so that no text can define an entity. Gives why it is no whole document, one line;
 * undefined when it is.
 */
export function walkXml(xml: string, visitor: XmlVisitor): string | undefined {
  const open: string[] = [];
  let elements = 0;
  let at = xml.startsWith("\uFEFF") ? 1 : 0;
  while (at < xml.length) {
    const next = xml.indexOf("<", at);
    const text = xml.slice(at, next === -1 ? undefined : next);
    if (open.length > 0 && text !== "") visitor.text(decoded(text));
    else if (text.trim() !== "") return "text stands outside of its elements";
    if (next === -1) break;
    at = next;
    if (xml.startsWith("<!--", at)) {
      at = xml.indexOf("-->", at + 4) + 3;
      if (at === 2) return endless;
    } else if (xml.startsWith("<![CDATA[", at)) {
      const end = xml.indexOf("]]>", at);
      if (end === -1) return endless;
      if (open.length > 0) visitor.text(xml.slice(at + 9, end));
      at = end + 3;
    } else if (xml.startsWith("<?", at)) {
      at = xml.indexOf("?>", at) + 2;
      if (at === 1) return endless;
    } else if (xml.startsWith("<!", at)) {
      return "it holds a document type";
    } else if (xml.startsWith("</", at)) {
      const end = xml.indexOf(">", at);
      if (end === -1) return endless;
      const name = localName(xml.slice(at + 2, end).trim());
      if (open.pop() !== name) return `</${name.slice(0, 40)}> closes nothing`;
      visitor.close(name);
      at = end + 1;
    } else {
      if (open.length === 0 && elements > 0) return "it holds two documents";
      elements += 1;
      const start = openTag(xml, at);
      if (typeof start === "string") return start;
      if (open.length === maxDepth) return "its elements are nested too deep";
      visitor.open(start.name, start.attributes);
      if (start.isEmpty) visitor.close(start.name);
      else open.push(start.name);
      at = start.end;
    }
  }
  if (elements === 0) return "it is empty";
  return open.length > 0 ? endless : undefined;
}

const endless = "it ends in the middle";

function openTag(
  xml: string,
  from: number,
):
  | string
  | { name: string; attributes: ReadonlyMap<string, string>; isEmpty: boolean; end: number } {
  const nameEnd = /[\s/>]/g;
  nameEnd.lastIndex = from + 1;
  const found = nameEnd.exec(xml);
  if (found === null) return endless;
  const name = localName(xml.slice(from + 1, found.index));
  if (name === "" || name.length > 200) return "it is no XML";
  const attributes = new Map<string, string>();
  let at = found.index;
  for (;;) {
    while (/\s/.test(xml[at] ?? "")) at += 1;
    if (xml[at] === ">") return { name, attributes, isEmpty: false, end: at + 1 };
    if (xml[at] === "/" && xml[at + 1] === ">") {
      return { name, attributes, isEmpty: true, end: at + 2 };
    }
    attribute.lastIndex = at;
    const match = attribute.exec(xml);
    if (match === null) return xml.indexOf(">", at) === -1 ? endless : "it is no XML";
    const value = match[2] ?? match[3] ?? "";
    attributes.set(localName(match[1] ?? ""), decoded(value.slice(0, maxAttributeChars)));
    at = attribute.lastIndex;
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function decoded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{1,8}));/gi,
    (whole, hex, dec, name) => {
      if (name !== undefined) return entities[String(name)] ?? whole;
      const code = hex === undefined ? Number(dec) : Number.parseInt(String(hex), 16);
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    },
  );
}
