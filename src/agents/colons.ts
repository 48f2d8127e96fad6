import type { Problem } from "../contracts/index.ts";
import { parseYaml } from "../lib/yaml.ts";

/** `key: text: more` on one line, the text neither quoted nor a list, map, alias or block. */
const colonLine =
  /^(?<head>\s*[\w$-]+:\s+)(?<text>(?![\s"'[\]{}|>&*!%@`#?-]).*?:(?:\s.*?)?)(?<tail>\s+#.*|\s*)$/;

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
  for (;;) {
    const complained = parseYaml(lines.join("\n"), file).problems.flatMap((problem) =>
      problem.severity === "error" ? [(problem.place.line ?? 0) - 1] : [],
    );
    const index = complained.find((line) => colonLine.test(lines[line] ?? ""));
    const groups = colonLine.exec(lines[index ?? -1] ?? "")?.groups;
    if (index === undefined || groups === undefined) return { yaml: lines.join("\n"), warnings };
    const { head = "", text = "", tail = "" } = groups;
    lines[index] = `${head}'${text.replaceAll("'", "''")}'${tail}`;
    warnings.push({
      severity: "warning",
      place: { file, line: index + 1, column: head.length + 1 },
      key: head.trim().slice(0, -1),
      value: text,
      message: "a value with an unquoted colon is read as text; put it in quotes",
    });
  }
}
