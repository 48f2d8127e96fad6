import fc from "fast-check";
import { expect, test } from "vitest";
import {
  loadPack,
  packFromJson,
  packToJson,
  parsePack,
  renderPack,
} from "../../src/context-pack/index.ts";
import type { ContextPack } from "../../src/contracts/index.ts";
import { hostileVersion1, hostileVersion2 } from "./hostile.ts";

/** The pack as memory holds it: typed constraints read off their prefixes. */
function settled(pack: ContextPack): ContextPack {
  const read = packFromJson(packToJson(pack));
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  return read.pack;
}

function readBack(pack: ContextPack): ContextPack {
  const markdown = renderPack(pack);
  const read = parsePack(markdown, { mode: "strict" });
  if (!read.ok) throw new Error(`${JSON.stringify(read.errors)}\n${markdown}`);
  expect(renderPack(read.pack)).toBe(markdown);
  return read.pack;
}

test("a version 1 pack with hostile texts survives Markdown to the byte", () => {
  fc.assert(
    fc.property(hostileVersion1, (pack) => {
      expect(readBack(pack)).toEqual(settled(pack));
    }),
    { numRuns: 1_300 },
  );
});

test("a version 2 pack with hostile texts survives Markdown to the byte", () => {
  fc.assert(
    fc.property(hostileVersion2, (pack) => {
      expect(readBack(pack)).toEqual(settled(pack));
    }),
    { numRuns: 800 },
  );
});

test("a hostile pack survives JSON", () => {
  fc.assert(
    fc.property(fc.oneof(hostileVersion1, hostileVersion2), (pack) => {
      const read = loadPack("pack.json", JSON.stringify(packToJson(pack)));
      expect(read).toEqual({ ok: true, pack: settled(pack), report: [] });
    }),
    { numRuns: 200 },
  );
});

test("the version 1 rendering of a hostile version 2 pack is valid and survives", () => {
  fc.assert(
    fc.property(hostileVersion2, (pack) => {
      const lowered = packFromJson(packToJson(pack, 1));
      if (!lowered.ok) throw new Error(JSON.stringify(lowered.errors));
      expect(readBack(lowered.pack)).toEqual({ ...withoutBudget(lowered.pack), version: 1 });
    }),
    { numRuns: 200 },
  );
});

test("lenient reading of anything ends in a draft or an error, never in an exception", () => {
  fc.assert(
    fc.property(hostileVersion2, fc.string(), (pack, before) => {
      const read = parsePack(`${before}${renderPack(pack)}`, { mode: "lenient" });
      expect(typeof read.ok).toBe("boolean");
    }),
    { numRuns: 150 },
  );
});

/** Version 1 has no section for the budget. */
function withoutBudget(pack: ContextPack): ContextPack {
  const { budget: _, ...rest } = pack;
  return rest;
}
