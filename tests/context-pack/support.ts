import type { ContextPack } from "../../src/contracts/index.ts";

export type Json = Readonly<Record<string, unknown>>;

/** A small valid pack with what a test is about. */
export function pack(own: Partial<ContextPack> = {}): ContextPack {
  return {
    task: "Fix add()",
    goal: "add(2, 3) returns 5.",
    constraints: [],
    relevantFiles: [{ path: "src/math.js" }],
    expectedOutput: "File blocks.",
    ...own,
  };
}

/** The sections of a valid reply, each replaceable or, with `""`, left out. */
export function reply(own: Readonly<Record<string, string>> = {}): string {
  const sections: Record<string, string> = {
    task: "Fix add()",
    goal: "add(2, 3) returns 5.",
    constraints: "- Touch only the listed files.",
    relevant_files: "- `src/math.js` — part of the change",
    expected_output: "File blocks.",
    ...own,
  };
  const written = Object.entries(sections)
    .filter(([, body]) => body !== "")
    .map(([name, body]) => `## ${name}\n${body}`);
  return `${["# Context Pack", ...written].join("\n\n")}\n`;
}
