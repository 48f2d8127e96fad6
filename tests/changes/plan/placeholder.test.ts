import { describe, expect, it } from "vitest";
import { isPlaceholder, placeholderExamples } from "../../../src/changes/plan/placeholder.ts";

describe("a line that stands for text left out", () => {
  it.each(placeholderExamples)("is seen: %s", (line) => {
    expect(isPlaceholder(`    ${line}`, "src/a.js")).toBe(true);
  });

  it.each([
    "// ...",
    "# ...",
    "...",
    "…",
    "/* ... */",
    "{/* ... */}",
    "<!-- ... -->",
    "// ... other methods ...",
    "// ... (rest of the code remains the same) ...",
    "... rest of the file unchanged ...",
    "[rest of the code remains the same]",
    "# Rest of the code remains the same",
    "// existing code",
    "-- … unchanged …",
  ])("is seen: %s", (line) => {
    expect(isPlaceholder(line, "src/a.js")).toBe(true);
  });

  it.each([
    "const rest = [...items];",
    "...items,",
    "// Loading the file...",
    "// wait... then go on",
    "# The rest of the arguments is passed on",
    "// Same logic for the left side",
    "// Other imports",
    "// Read the file contents",
    "// ...and then the second step",
    "print('...')",
    "// the existing code path is slower than the new one, see above",
    "/* a long comment about the original implementation of this */",
    "- the same",
    "",
  ])("is not seen in text of its own: %s", (line) => {
    expect(isPlaceholder(line, "src/a.js")).toBe(false);
  });

  it.each([
    ["a.py", "    ..."],
    ["a.pyi", "..."],
    ["a.yaml", "..."],
    ["README.md", "..."],
    ["README.md", "// ... other functions ..."],
    ["README.md", "# Rest of the document"],
  ])("in %s is not %s, which the format knows", (path, line) => {
    expect(isPlaceholder(line, path)).toBe(false);
  });

  it("in Markdown is a comment or a sentence of dots", () => {
    expect(isPlaceholder("<!-- rest of the document unchanged -->", "README.md")).toBe(true);
    expect(isPlaceholder("... rest of the document unchanged ...", "README.md")).toBe(true);
  });
});
