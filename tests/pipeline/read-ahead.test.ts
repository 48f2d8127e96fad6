import { expect, test, vi } from "vitest";
import { createReadAhead } from "../../src/pipeline/read-ahead.ts";

const counted = () => vi.fn<(reply: string) => string>((reply) => `${reply}, read`);

test("a reply that was prepared is not read again", () => {
  const read = counted();
  const ahead = createReadAhead(read);

  ahead.prepare("a pack");

  expect(ahead.take("a pack")).toBe("a pack, read");
  expect(read).toHaveBeenCalledTimes(1);
});

test("another reply than the one prepared is what counts", () => {
  const ahead = createReadAhead(counted());

  ahead.prepare("the first half");

  expect(ahead.take("the whole")).toBe("the whole, read");
});

test("what was taken is read anew when the same reply comes again", () => {
  const read = counted();
  const ahead = createReadAhead(read);

  ahead.prepare("a pack");
  ahead.take("a pack");
  ahead.take("a pack");

  expect(read).toHaveBeenCalledTimes(2);
});
