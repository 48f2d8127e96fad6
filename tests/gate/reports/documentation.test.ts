import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Ask, runners } from "../../../src/gate/reports/runners.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/gate.md"), "utf8");

function askedBy(ask: Ask): string {
  if (ask.by === "nothing") return "nothing";
  const words = ask.by === "environment" ? Object.keys(ask.variables({}, "DIR")) : ask.words("DIR");
  return words.map((word) => `\`${word}\``).join(" ");
}

test("docs/gate.md shows every runner, how it is asked and where that was seen", () => {
  const rows = runners.map(
    ({ name, example, ask, format, evidence }) =>
      `| ${name} | \`${example}\` | ${askedBy(ask)} | ${format} | ${evidence} |`,
  );
  expect(page.match(/^\| .*`.* \| .*(?:nothing|`) \| (?:its|a reporter).*$/gm)).toEqual(rows);
});
