import { describe, expect, test } from "vitest";
import { actMeanwhile, failFromThenOn, failOnce, measured } from "./adversity.ts";
import { linkFolderMeanwhile, userActs } from "./adversity.ts";
import { spread } from "./crash.ts";

describe("while twenty files are applied", () => {
  test.for(["ENOSPC", "EACCES", "EIO"])("%s at any effect changes nothing", async (code) => {
    const { states, effects } = await measured();
    const results: boolean[] = [];
    for (const failAt of spread(1, effects, 4)) {
      results.push(await failOnce(states, failAt, code));
    }
    expect(results).toContain(false);
  });

  test("a disk that stays full is put right by the next command", async () => {
    const { states, effects } = await measured();
    for (const failAt of spread(effects / 2, effects, 3)) {
      await expect(failFromThenOn(states, failAt, "ENOSPC")).resolves.toBeUndefined();
    }
  });

  test.for(Object.keys(userActs) as (keyof typeof userActs)[])(
    "a user who %s loses nothing",
    async (act) => {
      const { states, effects } = await measured();
      for (const actAt of spread(1, effects, 4)) {
        await expect(actMeanwhile(states, actAt, "src/f1.txt", act)).resolves.toBeUndefined();
      }
    },
  );

  test("a link put in a folder's place is not followed", async () => {
    const { effects } = await measured();
    const results: boolean[] = [];
    for (const linkAt of spread(1, effects, 4)) results.push(await linkFolderMeanwhile(linkAt));
    expect(results).toContain(false);
  });
});
