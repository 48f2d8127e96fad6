import { expect, test } from "vitest";
import { saysNothing, withoutLineColours } from "../../src/adapters/reply-text.ts";

test.each([
  "",
  " \n\t",
  "<think>I should answer.</think>\n",
  "<thinking>\nnever closed",
  "```\n```\n",
  "~~~js\n~~~",
])("%j says nothing", (text) => expect(saysNothing(text)).toBe(true));

test.each(["ok", "<think>x</think>\nyes", "```\ncode\n```", "FILE: a.js\n```\n```"])(
  "%j says something",
  (text) => expect(saysNothing(text)).toBe(false),
);

test("escape sequences around lines are removed and those inside them stay", () => {
  const title = "\u001b]0;title\u0007";
  const coloured = `${title}\u001b[2mFILE: src/math.js\u001b[0m\n\u001b[1mexport\nconst red = "\u001b[31mred";\u001b[0m`;

  expect(withoutLineColours(coloured)).toBe(
    'FILE: src/math.js\nexport\nconst red = "\u001b[31mred";',
  );
});
