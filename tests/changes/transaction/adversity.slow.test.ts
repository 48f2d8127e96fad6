import { describe, expect, test } from "vitest";
import { actMeanwhile, failFromThenOn, failOnce, measured } from "./adversity.ts";
import { linkFolderMeanwhile, userActs } from "./adversity.ts";
import { spread } from "./crash.ts";

const codes = ["ENOSPC", "EACCES", "EIO", "EDQUOT", "EROFS"];
const paths = ["f0.txt", "src/f1.txt", "src/deep/f11.txt", "src/new.txt"];

describe("while twenty files are applied", () => {
  test("an error at any of 250 effects changes nothing", async () => {
    const { states, effects } = await measured();
    const points = spread(1, effects, 250);
    expect(new Set(points).size).toBe(250);
    for (const failAt of points) {
      const code = codes[failAt % codes.length] ?? "EIO";
      await expect(failOnce(states, failAt, code)).resolves.toBeTypeOf("boolean");
    }
  });

  test("a disk that stays full is put right by the next command", async () => {
    const { states, effects } = await measured();
    for (const failAt of spread(1, effects, 60)) {
      await expect(failFromThenOn(states, failAt, "ENOSPC")).resolves.toBeUndefined();
    }
  });

  test.for(Object.keys(userActs) as (keyof typeof userActs)[])(
    "a user who %s at one of sixty moments loses nothing",
    async (act) => {
      const { states, effects } = await measured();
      for (const actAt of spread(1, effects, 60)) {
        const path = paths[actAt % paths.length] ?? "f0.txt";
        await expect(actMeanwhile(states, actAt, path, act)).resolves.toBeUndefined();
      }
    },
  );

  test("a link put in a folder's place is not followed", async () => {
    const { effects } = await measured();
    for (const linkAt of spread(1, effects, 60)) {
      await expect(linkFolderMeanwhile(linkAt)).resolves.toBeTypeOf("boolean");
    }
  });
});
