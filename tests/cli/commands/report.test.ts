import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRun } from "../../../src/runs/index.ts";
import { escalatedRun, tickingClock } from "../../runs/support.ts";
import { repository } from "../../support/repository.ts";
import { runKit } from "../support.ts";
import { documentOf } from "./support.ts";

/** A repository with one recorded run. */
async function withRun(): Promise<{ readonly cwd: string; readonly id: string }> {
  const cwd = repository({ "a.txt": "a\n" });
  const id = "20261130-191430-8xi0";
  const run = await createRun({ folder: join(cwd, ".kit", "runs"), id, clock: tickingClock() });
  for (const event of escalatedRun) await run.emit(event);
  await run.close();
  return { cwd, id };
}

test("report writes a page beside the records, for its owner alone, and again without asking", async () => {
  const { cwd, id } = await withRun();
  const file = join(cwd, ".kit", "runs", id, "report.html");

  const first = await documentOf("report", ["report", "8xi0"], { cwd });
  const second = await runKit(["report"], { cwd });

  expect(first.document).toMatchObject({ path: file, bytes: statSync(file).size });
  expect(second.exitCode).toBe(0);
  expect(second.stdout).toMatch(new RegExp(`^${file}  \\d+ kB\n$`));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toContain("Mend add");
});

test("report --all tells of every run", async () => {
  const { cwd } = await withRun();

  const { document } = await documentOf("report", ["report", "--all", "--output", "all.html"], {
    cwd,
  });

  expect(document["path"]).toBe(join(cwd, "all.html"));
  const page = readFileSync(join(cwd, "all.html"), "utf8");
  expect(page).toContain("1 of 1 run green");
  expect(page).toContain("acme/large");
});

test("what is no report of kit is replaced with --force alone, and a link or folder never", async () => {
  const { cwd } = await withRun();
  writeFileSync(join(cwd, "mine.html"), "<p>mine</p>\n");
  symlinkSync("a.txt", join(cwd, "link.html"));

  const refused = await runKit(["report", "-o", "mine.html"], { cwd });
  const link = await runKit(["report", "-o", "link.html", "--force"], { cwd });
  const folder = await runKit(["report", "-o", ".kit", "--force"], { cwd });
  const forced = await runKit(["report", "-o", "mine.html", "--force"], { cwd });

  expect(refused.stderr).toContain(
    "is there already, and is no report of kit.\nnext: Replace it with --force",
  );
  expect([refused, link, folder].map(({ exitCode }) => exitCode)).toEqual([1, 1, 1]);
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("a\n");
  expect(forced.exitCode).toBe(0);
});

test("wrong usage is said with the step that mends it", async () => {
  const { cwd } = await withRun();
  const empty = repository({});

  const noFolder = await runKit(["report", "-o", "not/there.html"], { cwd });
  const both = await runKit(["report", "8xi0", "--all"], { cwd });
  const none = await runKit(["report", "--all"], { cwd: empty });

  expect(noFolder).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("next: mkdir -p "),
  });
  expect(both).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("it takes no id") });
  expect(none).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("There are no runs here yet."),
  });
});
