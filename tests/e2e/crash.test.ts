import { expect, test } from "vitest";
import { type Crash, crashAt, quick, spread, undisturbed } from "./crash.ts";

test("a run that is killed -9 leaves a whole tree, and resumed ends as it would have", async ({
  onTestFinished,
}) => {
  const wanted = await undisturbed(quick, onTestFinished);
  const crashes: Crash[] = [];
  for (const at of spread(Math.floor(wanted.effects / 3), Math.floor(wanted.effects * 0.9), 5)) {
    crashes.push(await crashAt(at, quick, wanted, onTestFinished));
  }
  expect(crashes.filter(({ killed }) => killed).length).toBeGreaterThanOrEqual(3);
}, 120_000);
