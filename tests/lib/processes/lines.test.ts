import { array, assert, constantFrom, integer, nat, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter, TailBuffer } from "../../../src/lib/processes/lines.ts";

/** Cuts bytes into pieces at the given places. */
function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [
    0,
    ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b),
    bytes.length,
  ];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

const text = string({
  unit: constantFrom("a", "é", "😀", "\n", "\r", "\u2028", "\0"),
  maxLength: 60,
});
const cuts = array(nat(300), { maxLength: 12 });

describe("LineSplitter", () => {
  it("gives the same lines however the bytes are cut", () => {
    assert(
      property(text, cuts, (content, places) => {
        const lines: string[] = [];
        const splitter = new LineSplitter((line) => lines.push(line.toString()), 10_000);

        for (const piece of pieces(Buffer.from(content), places)) splitter.push(piece);
        splitter.finish();

        const expected = content.split("\n");
        if (expected.at(-1) === "") expected.pop();
        expect(lines).toEqual(expected);
      }),
    );
  });

  it("gives lines whole that are longer than its first room for one", () => {
    const lines: string[] = [];
    const splitter = new LineSplitter((line) => lines.push(line.toString()), 1_000_000);
    const long = ["a", "b", "c"].map((letter) => letter.repeat(300_000));
    const bytes = Buffer.from(["", ...long, "short"].join("\n"));

    for (let at = 0; at < bytes.length; at += 65_536) {
      splitter.push(bytes.subarray(at, at + 65_536));
    }
    splitter.finish();

    expect(lines).toEqual(["", ...long, "short"]);
  });

  it("refuses a line that is too long, and only that", () => {
    const lines: string[] = [];
    const splitter = new LineSplitter((line) => lines.push(line.toString()), 5);

    expect(splitter.push(Buffer.from("12345\n123"))).toBe(true);
    expect(splitter.push(Buffer.from("45\n1"))).toBe(true);
    expect(splitter.push(Buffer.from("23456"))).toBe(false);
    expect(lines).toEqual(["12345", "12345"]);
  });
});

describe("TailBuffer", () => {
  it("keeps the last bytes, from the first whole character on", () => {
    assert(
      property(text, cuts, integer({ min: 4, max: 40 }), (content, places, maxBytes) => {
        const tail = new TailBuffer(maxBytes);

        for (const piece of pieces(Buffer.from(content), places)) tail.push(piece);

        const kept = tail.text();
        expect(content.endsWith(kept)).toBe(true);
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(maxBytes);
        const fewest = Math.min(Buffer.byteLength(content), maxBytes - 3);
        expect(Buffer.byteLength(kept)).toBeGreaterThanOrEqual(fewest);
      }),
    );
  });
});
