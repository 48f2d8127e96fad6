import type { Problem } from "../contracts/index.ts";
import { isCredentialKey } from "../lib/credentials.ts";
import { redact } from "../lib/redaction.ts";
import { parseYaml } from "../lib/yaml.ts";

/** `key: text: more` on one line, the text neither quoted nor a list, map, alias or block. */
const colonLine =
  /^(?<head>\s*[\w$-]+:\s+)(?<text>(?![\s"'[\]{}|>&*!%@`#?-]).*?:(?:\s.*?)?)(?<tail>\s+#.*|\s*)$/;

/** Longer lines are no descriptions; the pattern's time grows with the square of the length. */
const maxLineChars = 2000;
/** One reading shows nearly all bad lines; a few show themselves only behind a mended one. */
const maxReadings = 5;

/**
 * Quotes one-line values that hold a colon followed by a blank, which YAML takes for a nested
 * map (`description: Looks at a diff: answers pass or fail`). Only lines that the YAML reader
 * complains of are touched; each gives a warning.
 */
export function quoteColons(
  yaml: string,
  file: string,
): { readonly yaml: string; readonly warnings: readonly Problem[] } {
  const lines = yaml.split("\n");
  const warnings: Problem[] = [];
  for (let reading = 0; reading < maxReadings; reading += 1) {
    const { problems } = parseYaml(lines.join("\n"), file);
    const complained = new Set(problems.map(({ place }) => (place.line ?? 0) - 1));
    const before = warnings.length;
    for (const index of complained) {
      const line = lines[index] ?? "";
      const groups = line.length > maxLineChars ? undefined : colonLine.exec(line)?.groups;
      if (groups === undefined) continue;
      const { head = "", text = "", tail = "" } = groups;
      lines[index] = `${head}'${text.replaceAll("'", "''")}'${tail}`;
      warnings.push(warningOf(file, index, head, text));
    }
    if (warnings.length === before) break;
  }
  return { yaml: lines.join("\n"), warnings };
}

function warningOf(file: string, index: number, head: string, text: string): Problem {
  const key = head.trim().slice(0, -1);
  const isSecret = isCredentialKey(key) || redact(text) !== text;
  return {
    severity: "warning",
    place: { file, line: index + 1, column: head.length + 1 },
    key,
    ...(isSecret ? {} : { value: text }),
    message: "a value with an unquoted colon is read as text; put it in quotes",
  };
}
