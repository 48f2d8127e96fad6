import { describe, expect, test } from "vitest";
import {
  checkPackFile,
  checkPackReply,
  completenessOf,
  isOverBudget,
  loadPack,
  normalizePack,
  type PackError,
  packFromJson,
  packToJson,
  parsePack,
  profileTokens,
  renderJson,
  renderPack,
  selfCheckPack,
  toVersion1,
  validatePack,
} from "../../src/context-pack/index.ts";
import type { BudgetProfile, ContextPack } from "../../src/contracts/index.ts";
import { vectorsOf } from "../support/vectors.ts";
import { pack, type Json } from "./support.ts";

const areas = [
  "pack-parse",
  "pack-validate",
  "pack-render",
  "pack-roundtrip",
  "pack-load",
  "pack-normalize",
  "pack-limits",
] as const;

type Run = (input: Json, wanted: Json) => unknown;

/** What an error of a vector asks for: words of a message, with a place or a subject. */
function expectError(errors: readonly PackError[], wanted: unknown): void {
  const { about, line } = typeof wanted === "string" ? { about: wanted } : (wanted as Json);
  expect(errors.map((error) => error.message)).toContainEqual(
    expect.stringContaining(String(about)),
  );
  if (line !== undefined) expect(errors.map((error) => error.line)).toContain(line);
}

/** Version 1 fields; what equals absence is absent on both sides. */
function comparable(json: unknown): unknown {
  const read = packFromJson(json);
  return read.ok ? { ...packToJson(read.pack, 1), version: 1 } : json;
}

const runs: Readonly<Record<(typeof areas)[number], Run>> = {
  "pack-parse"(input, wanted) {
    const parts = (input["parts"] ?? [[input["markdown"], 1]]) as [string, number][];
    const text = parts.map(([part, times]) => part.repeat(times)).join("");
    const mode = input["mode"] as "strict" | "lenient";
    const read = parsePack(text, { mode });
    if (wanted["errorOrPack"] === true) return;
    if (wanted["pack"] !== undefined) {
      expect(read).toMatchObject({ ok: true });
      const json = read.ok ? toVersion1(read.pack as ContextPack).json : {};
      expect(comparable(json)).toEqual(comparable(wanted["pack"]));
    }
    const errors = read.ok ? [] : read.errors;
    if (wanted["error"] !== undefined) expectError(errors, wanted["error"]);
    if (wanted["invalid"] !== undefined) {
      expect(errors.map((error) => error.field)).toEqual(wanted["invalid"]);
    }
    for (const part of (wanted["report"] ?? []) as string[]) {
      expect(read.report.map((note) => note.message)).toContainEqual(expect.stringContaining(part));
    }
  },
  "pack-validate"(input, wanted) {
    const errors = validatePack(input["pack"], 1);
    expect({ valid: errors.length === 0, invalid: errors.map((error) => error.field) }).toEqual(
      wanted,
    );
  },
  "pack-render"(input, wanted) {
    if (wanted["error"] === undefined) {
      expect(renderJson(input["pack"])).toBe(wanted["markdown"]);
    } else {
      const { about } = wanted["error"] as { about: string };
      expect(() => renderJson(input["pack"])).toThrow(about);
    }
  },
  "pack-roundtrip"(input) {
    const read = parsePack(renderJson(input["pack"]), { mode: "strict" });
    expect(read).toMatchObject({ ok: true });
    expect(comparable(read.ok && packToJson(read.pack))).toEqual(comparable(input["pack"]));
  },
  "pack-load"(input, wanted) {
    const read = loadPack(String(input["file"]), String(input["text"]));
    const errors = read.ok ? [] : read.errors;
    if (wanted["pack"] !== undefined) {
      expect(read.ok && packToJson(read.pack)).toEqual(wanted["pack"]);
    }
    if (wanted["invalid"] !== undefined) {
      expect(errors.map((error) => error.field)).toEqual(wanted["invalid"]);
    }
    if (wanted["error"] !== undefined) expectError(errors, wanted["error"]);
  },
  "pack-normalize"(input, wanted) {
    const facts = {
      root: String(input["root"]),
      files: input["repo"] as string[],
      ...(typeof input["task"] === "string" && { task: input["task"] }),
      ...(Array.isArray(input["knownCommands"]) && {
        knownCommands: input["knownCommands"] as string[],
      }),
    };
    const parsed = parsePack(String(input["reply"]), { mode: "lenient", files: facts.files });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    const normalized = normalizePack(parsed.pack, facts);
    const json = { ...packToJson(normalized.pack, 2) } as Json;
    for (const [key, value] of Object.entries(wanted)) {
      if (key === "report") expect(normalized.report).toMatchObject(value as object);
      else if (key === "constraintsAdded") {
        const before = parsed.pack.constraints?.length ?? 0;
        expect(normalized.pack.constraints.length - before).toBe(value);
      } else if (key === "renderedV1") {
        const lines = renderPack(normalized.pack, 1).split("\n");
        expect(lines).toEqual(expect.arrayContaining(value as string[]));
      } else expect({ [key]: json[key] }).toEqual({ [key]: value });
    }
  },
  "pack-limits"(input, wanted) {
    if (typeof input["profile"] === "string") {
      const ceiling = profileTokens[input["profile"] as BudgetProfile];
      expect(isOverBudget(Number(input["estimatedTokens"]), ceiling)).toBe(wanted["over"]);
    } else if (typeof input["pack"] === "string") {
      expect(completenessOf(described(input["pack"]))).toBe(wanted["completeness"]);
    } else {
      const { errors, warnings } = checkedBy(input);
      const broken = [...errors, ...warnings].map((finding) => finding.rule);
      expect(broken).toEqual(expect.arrayContaining(wanted["selfCheckFails"] as string[]));
      if (wanted["coderCalled"] === false) expect(errors).not.toEqual([]);
    }
  },
};

/** `goal, files; no success criteria`: a pack with the first, without the last. */
function described(words: string): ContextPack {
  const [has = ""] = words.split(/; no |; without /);
  const names = (part: string): boolean => has.includes(part);
  const whole = pack({
    successCriteria: [{ text: "green" }],
    testCommands: ["npm test"],
    constraints: [{ text: "c" }],
  });
  const { successCriteria, testCommands, ...rest } = whole;
  return {
    ...rest,
    ...(names("criteria") && successCriteria && { successCriteria }),
    ...(names("test commands") && testCommands && { testCommands }),
    constraints: names("constraints") ? rest.constraints : [],
    relevantFiles: names("files") ? rest.relevantFiles : [],
  };
}

function checkedBy(input: Json): ReturnType<typeof selfCheckPack> {
  const snippet = input["snippet"] as { path: string; lines: string; content: string } | undefined;
  return selfCheckPack(
    pack({
      constraints: ((input["packConstraints"] ?? []) as string[]).map((text) => ({ text })),
      ...(snippet && { relevantSnippets: [snippet] }),
    }),
    {
      ...(typeof input["task"] === "string" && { task: input["task"] }),
      recordedFailures: Number(input["recordedFailures"] ?? 0),
      fileText: () => input["fileAtPath"] as string | undefined,
    },
  );
}

describe.each(areas)("vectors of %s", (area) => {
  const vectors = vectorsOf(area);
  describe.skipIf(!vectors)("every one", () => {
    test.each((vectors ?? []).map((vector) => [vector.id, vector.why, vector] as const))(
      "%s: %s",
      (_id, _why, vector) => {
        runs[area](vector.input, vector.expect);
      },
    );
  });
});

describe("vectors through the checker that the command uses", () => {
  const readable = (vectorsOf("pack-parse") ?? []).filter(
    (vector) => vector.expect["pack"] !== undefined,
  );

  test.skipIf(readable.length === 0)(
    "what it calls right has canonical bytes that read back",
    () => {
      for (const { id, input } of readable) {
        const text = String(input["markdown"]);
        const isLenient = input["mode"] === "lenient";
        const checked = isLenient ? checkPackReply(text) : checkPackFile("pack.md", text);
        if (!checked.ok) expect([id, isLenient]).toEqual([id, true]);
        else {
          const again = parsePack(checked.markdown, { mode: "strict" });
          expect([id, again.ok && renderPack(again.pack)]).toEqual([id, checked.markdown]);
        }
      }
    },
  );
});
