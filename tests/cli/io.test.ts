import { Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { outputOf, wantsColour } from "../../src/cli/io.ts";

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: "1" }, true, false],
  [{ NO_COLOR: "" }, true, true],
  [{ FORCE_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "" }, false, true],
  [{ FORCE_COLOR: "0" }, true, false],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
  [{ TERM: "dumb" }, true, false],
])("with %j, terminal %j, colour is %j", (env, isTerminal, wanted) => {
  expect(wantsColour(env, isTerminal)).toBe(wanted);
});

/** A standard stream that fails, later or at once, and counts what it was asked to write. */
function failing(code: string, when: "later" | "at once") {
  const tried: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      tried.push(chunk.toString());
      const error = Object.assign(new Error(`${code}: write`), { code });
      if (when === "at once") throw error;
      process.nextTick(done, error);
    },
  });
  return { output: outputOf(stream as unknown as NodeJS.WriteStream, {}), tried };
}

test.each([
  ["EPIPE", "later"],
  ["EIO", "later"],
  ["ENOSPC", "later"],
  ["EIO", "at once"],
] as const)("an output that fails with %s, %s, is closed and ends nothing", async (code, when) => {
  const { output, tried } = failing(code, when);

  output.write("first");
  output.write("second");
  await setImmediate();
  output.write("third");
  await setImmediate();

  expect(tried).toEqual(["first"]);
  expect(await output.settled()).toMatchObject({ code });
});

test("an output tells of a failure of the last thing it was asked to write", async () => {
  const { output } = failing("ENOSPC", "later");

  output.write("all");

  expect(await output.settled()).toMatchObject({ code: "ENOSPC" });
});

test("an output that could write everything, or was asked for nothing, settles without a fault", async () => {
  const { output } = failing("ENOSPC", "later");

  expect(await output.settled()).toBeUndefined();
});
