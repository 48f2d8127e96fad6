import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readAgent } from "../../src/agents/agent-file.ts";
import { capabilities } from "./support.ts";

const line = fc.string({ unit: "grapheme", maxLength: 40 });

describe("reading an agent file", () => {
  test("never throws, and gives an agent or says why not", () => {
    const text = fc.oneof(
      line,
      fc.array(line).map((lines) => `---\n${lines.join("\n")}\n---\nBody.\n`),
      fc.array(fc.tuple(line, line)).map((pairs) => {
        return `---\n${pairs.map(([key, value]) => `${key}: ${value}`).join("\n")}\n---\nBody.\n`;
      }),
    );

    fc.assert(
      fc.property(text, (content) => {
        const { agent, problems } = readAgent(content, "a.md", "user", capabilities);
        expect(agent !== undefined || problems.length > 0).toBe(true);
      }),
    );
  });

  test("keeps any description of plain words and colons", () => {
    const words = fc.array(fc.stringMatching(/^[A-Za-z][A-Za-z0-9.,()/]{0,8}:?$/), {
      minLength: 1,
    });

    fc.assert(
      fc.property(words, (parts) => {
        const description = parts.join(" ");
        const text = `---\nname: a\ndescription: ${description}\ncapability: cheap-code\n---\nBody.\n`;

        const { agent } = readAgent(text, "a.md", "user", capabilities);

        // Words that YAML itself types (true, null) are errors of type, not of colons.
        fc.pre(!/^(?:true|false|null|\.nan|\.inf|0x[\da-f]+|\d+)$/i.test(description));
        expect(agent).toMatchObject({ description, capability: "cheap-code" });
      }),
    );
  });
});
