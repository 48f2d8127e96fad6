import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readInput } from "../../src/cli/input.ts";
import type { Io } from "../../src/cli/io.ts";
import { temporaryFolder } from "../support/repository.ts";

const latin1 = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]);
const utf16 = Buffer.from("\uFEFFcafé\n", "utf16le");

function io(chunks: readonly Uint8Array[] = []): Io {
  return { cwd: temporaryFolder(), stdin: Readable.from(chunks) } as unknown as Io;
}

describe("what the user gives to read", () => {
  it("is taken from a file as it is", async () => {
    const place = io();
    writeFileSync(join(place.cwd, "reply.md"), "café\r\n");

    expect(await readInput("The reply", "reply.md", place)).toBe("café\r\n");
  });

  it("is taken from stdin, also where a character is cut in two between chunks", async () => {
    const bytes = Buffer.from("café\n");

    const text = await readInput("--task", "-", io([bytes.subarray(0, 4), bytes.subarray(4)]));

    expect(text).toBe("café\n");
  });

  it.each([
    ["Latin-1", latin1],
    ["UTF-16", utf16],
    ["a cut character", Buffer.from("café").subarray(0, 4)],
  ])("is refused as %s, from a file and from stdin", async (_, bytes) => {
    const place = io([bytes]);
    writeFileSync(join(place.cwd, "reply.md"), bytes);

    await expect(readInput("The reply", "reply.md", place)).rejects.toMatchObject({
      kind: "usage",
      message: "The reply reply.md is not UTF-8 text.",
    });
    await expect(readInput("The reply", "-", place)).rejects.toMatchObject({
      kind: "usage",
      message: "The reply from stdin is not UTF-8 text.",
    });
  });
});
