/**
 * A glob as an expression over whole paths with `/`: `*` and `?` stay within a segment, `**` spans
 * segments, `{a,b}` is either, `[…]` a class. A glob without `/` fits the last segment anywhere.
 */
export function globPattern(glob: string): RegExp {
  const anchored = glob.includes("/") ? glob.replace(/^\//, "") : `**/${glob}`;
  let source = "";
  let depth = 0;
  for (const [token] of anchored.matchAll(/\*\*\/?|\[!?\]?[^\]/]*\]|[\s\S]/g)) {
    if (token === "**/") source += "(?:[^/]+/)*";
    else if (token === "**") source += ".*";
    else if (token === "*") source += "[^/]*";
    else if (token === "?") source += "[^/]";
    else if (token === "{") {
      depth += 1;
      source += "(?:";
    } else if (token === "}" && depth > 0) {
      depth -= 1;
      source += ")";
    } else if (token === "," && depth > 0) source += "|";
    else if (token.length > 1) source += classOf(token);
    else source += literal(token);
  }
  return new RegExp(`^${source}${")".repeat(depth)}$`);
}

/** A text as an expression that fits nothing but itself. */
export function literal(text: string): string {
  return text.replaceAll(/[\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** `[a-z]`, `[!abc]`: what stands in it is taken as letters and ranges, nothing else. */
function classOf(token: string): string {
  const negated = token.startsWith("[!");
  const inner = token.slice(negated ? 2 : 1, -1).replaceAll(/[\\\]^[]/g, String.raw`\$&`);
  return inner === "" ? literal(token) : `(?!/)[${negated ? "^" : ""}${inner}]`;
}
