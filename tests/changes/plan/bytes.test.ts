import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryTree, planChanges } from "../../../src/changes/index.ts";
import { repoPath, type Change } from "../../../src/contracts/index.ts";
import { propertyRuns } from "../support/property-runs.ts";
import { writeScope } from "../support/scope.ts";

const path = repoPath("f.txt");

/** One line of a file to be: its text and the bytes that end it. */
interface Line {
  readonly text: string;
  readonly end: string;
}

const indent = fc.constantFrom("", "  ", "    ", "\t", "\t\t", "\t  ");
const word = fc.oneof(
  fc.constantFrom("a", "b", "}", "", "=======", "é", "日本", "$&", "x\ry"),
  fc.string({ unit: "grapheme", maxLength: 6 }),
);
const trailing = fc.constantFrom("", "", "", " ", "\t");
const text = fc
  .tuple(indent, word, trailing)
  .map((parts) => parts.join("").replaceAll(/[\n\0]|\r$/g, ""));
const newText = text.map((line) => line.replaceAll("\r", ""));
const ends = fc.constantFrom(["\n"], ["\r\n"], ["\n", "\r\n"], ["\r"]);

const file: fc.Arbitrary<{ mark: string; lines: readonly Line[] }> = ends.chain((choice) =>
  fc.record({
    mark: fc.constantFrom("", "", "\uFEFF"),
    lines: fc
      .tuple(
        fc.array(fc.tuple(text, fc.constantFrom(...choice)), { minLength: 1, maxLength: 12 }),
        fc.boolean(),
      )
      .map(([lines, isEnded]) =>
        lines.map(([line, end], index) => {
          const hasEnd = isEnded || index < lines.length - 1;
          // A file of CR alone has no CR in its lines, and a mark is none inside a file.
          const isCr =
            choice[0] === "\r" || !lines.some((_, at) => isEnded || at < lines.length - 1);
          const plain = (isCr ? line.replaceAll("\r", "") : line).replace(/^\uFEFF/, "");
          // An empty line without an end is no line.
          return { text: hasEnd || plain !== "" ? plain : "z", end: hasEnd ? end : "" };
        }),
      ),
  }),
);

/** What a model may get wrong about a line and kit forgives. */
const slip = fc.constantFrom(
  (line: string) => line,
  (line: string) => line.trimEnd(),
  (line: string) => `${line}  `,
  (line: string) => (line.trim() === "" ? line : `  ${line}`),
);

const bytesOf = (lines: readonly Line[]): string =>
  lines.map((line) => line.text + line.end).join("");

async function planned(before: string, change: Change): Promise<string | undefined> {
  const tree = memoryTree({ "f.txt": new TextEncoder().encode(before) });
  const result = await planChanges({ changes: [change], format: "canonical" }, tree, writeScope());
  if (!result.ok) return undefined;
  const [operation] = result.plan.operations;
  if (operation === undefined || !("after" in operation)) return undefined;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(operation.after);
}

describe("bytes outside a change", () => {
  it("never change when a hunk is applied", async () => {
    let applied = 0;
    const cases = fc.tuple(
      file,
      fc.nat(11),
      fc.integer({ min: 1, max: 4 }),
      slip,
      fc.array(newText, { maxLength: 4 }),
    );

    await fc.assert(
      fc.asyncProperty(cases, async ([{ mark, lines }, at, count, slipOf, replacement]) => {
        const start = at % lines.length;
        const region = lines.slice(start, start + count);
        const change: Change = {
          kind: "edit",
          path,
          line: 1,
          hunks: [
            {
              search: region.map((line) => `${slipOf(line.text)}\n`).join(""),
              replace: replacement.map((line) => `${line.replace(/^\uFEFF/, "")}\n`).join(""),
              line: 1,
            },
          ],
        };
        const after = await planned(mark + bytesOf(lines), change);
        if (after === undefined) return;
        applied += 1;
        // A stricter strategy may find the text in another place than the one it was taken from.
        const places = lines
          .map((_, place) => place)
          .filter((place) => {
            const found = lines.slice(place, place + region.length);
            return found.every((line, index) => line.text.trim() === region[index]?.text.trim());
          });
        expect(places.some((place) => isChangedAt(place, region.length))).toBe(true);

        function isChangedAt(place: number, length: number): boolean {
          const head = mark + bytesOf(lines.slice(0, place));
          const tail = lines.slice(place + length);
          if (!after?.startsWith(head) || !after.endsWith(bytesOf(tail))) return false;
          const inside = after.slice(head.length, after.length - bytesOf(tail).length);
          if ((replacement.at(-1) ?? "").trim() === "") return true;
          return /[\r\n]$/.test(inside) === (tail.length > 0 || lines.at(-1)?.end !== "");
        }
      }),
      { numRuns: propertyRuns(0.25) },
    );
    expect(applied).toBeGreaterThan(50);
  });

  it("never change when a file is written whole, line by line", async () => {
    const cases = fc.tuple(
      file,
      fc.nat(12),
      fc.nat(4),
      fc.array(newText, { minLength: 1, maxLength: 3 }),
    );

    await fc.assert(
      fc.asyncProperty(cases, async ([{ mark, lines }, at, gone, added]) => {
        const start = at % (lines.length + 1);
        const head = lines.slice(0, start);
        const tail = lines.slice(start + gone);
        const texts = [
          ...head.map((line) => line.text),
          ...added,
          ...tail.map((line) => line.text),
        ];
        const content = texts.map((line) => `${line}\n`).join("");
        const change: Change = { kind: "write", path, content, line: 1 };
        const after = await planned(mark + bytesOf(lines), change);
        const isEmptyEnd = texts.at(-1) === "" && lines.at(-1)?.end === "";
        if (after === undefined || isEmptyEnd) return;
        const isEnded = head.every((line) => line.end !== "");
        if (isEnded) expect(after.startsWith(mark + bytesOf(head))).toBe(true);
        const hasEnd = lines.at(-1)?.end !== "";
        if (texts.at(-1) !== "") expect(/[\r\n]$/.test(after)).toBe(hasEnd);
        const isCr = lines.some((line) => line.end === "\r");
        const plain = after.slice(mark.length).replaceAll(isCr ? "\r" : "\r\n", "\n");
        expect(plain.replace(/\n$/, "")).toBe(content.replace(/^\uFEFF/, "").replace(/\n$/, ""));
      }),
      { numRuns: propertyRuns(0.15) },
    );
  });
});
