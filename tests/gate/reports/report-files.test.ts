import { symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reportsBelow, reportsIn } from "../../../src/gate/reports/report-files.ts";
import { runners } from "../../../src/gate/reports/runners.ts";
import { temporaryFolder, writeFiles } from "../../support/repository.ts";

describe("reports in a folder", () => {
  test("are those whose name fits, in order", async () => {
    const root = temporaryFolder();
    writeFiles(root, { "b.xml": "2", "a.xml": "1", "c.txt": "3" });
    expect(await reportsIn(root, /\.xml$/)).toEqual({ ok: true, texts: ["1", "2"] });
    expect(await reportsIn(join(root, "none"), /x/)).toEqual({ ok: true, texts: [] });
  });

  test.each(["a link", "a folder", "more than 32 MB"])(
    "are not read where one is %s",
    async (what) => {
      const root = temporaryFolder();
      const file = join(root, "a.xml");
      if (what === "a link") symlinkSync("/etc/hosts", file);
      else if (what === "a folder") writeFiles(file, { "b.xml": "" });
      else {
        writeFileSync(file, "");
        truncateSync(file, 33 * 1024 * 1024);
      }
      expect(await reportsIn(root, /\.xml$/)).toMatchObject({ ok: false });
    },
  );
});

describe("reports that a build tool leaves", () => {
  const answerOf = (name: string): { folders: RegExp; files: RegExp } => {
    const answer = runners.find((runner) => runner.name === name)?.answer;
    if (answer?.in !== "tree") throw new Error(`${name} leaves no files`);
    return answer;
  };

  test.each([
    ["maven", ["target/surefire-reports/TEST-a.A.xml", "core/target/failsafe-reports/TEST-b.xml"]],
    ["gradle", ["build/test-results/test/TEST-a.A.xml", "app/build/test-results/unit/TEST-b.xml"]],
  ])("of %s are found in every module", async (name, paths) => {
    const root = temporaryFolder();
    writeFiles(root, Object.fromEntries(paths.map((path) => [path, path])));
    writeFiles(root, {
      "target/other/TEST-c.xml": "",
      "node_modules/x/target/surefire-reports/TEST-d.xml": "",
    });
    const found = await reportsBelow(root, answerOf(name), 0);
    expect(found.ok && found.texts.toSorted()).toEqual(paths.toSorted());
  });

  test("of an earlier run are none", async () => {
    const root = temporaryFolder();
    writeFiles(root, {
      "target/surefire-reports/TEST-old.xml": "old",
      "target/surefire-reports/TEST-new.xml": "new",
    });
    utimesSync(join(root, "target/surefire-reports/TEST-old.xml"), 1_000, 1_000);
    expect(await reportsBelow(root, answerOf("maven"), 2_000_000)).toEqual({
      ok: true,
      texts: ["new"],
    });
  });
});
