import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { HtmlValidate } from "html-validate";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderRunReport } from "../../src/report/index.ts";
import { coderRule, errorRule, machine, scenario, scoutRule } from "../e2e/support.ts";
import { temporaryFolder } from "../support/repository.ts";
import { chromiumProgram, openBrowser, type Widths } from "./browser.ts";
import { attack, attacked, runWithDiff } from "./support.ts";

const widths = [390, 1280] as const;
const schemes = ["light", "dark"] as const;
const looks = widths.flatMap((width) => schemes.map((scheme) => ({ width, scheme })));

const validator = new HtmlValidate({
  extends: ["html-validate:standard", "html-validate:a11y"],
  rules: {
    // Widths of bars are figures of the run, which a style sheet cannot hold.
    "no-inline-style": "off",
    "long-title": "off",
  },
});

const ends: (() => void | Promise<void>)[] = [];

/** A real run that climbs over a wrong change to a right one, and the pages kit makes of it. */
async function realReports(): Promise<{ readonly run: string; readonly all: string }> {
  const { kit, run, home } = await machine({
    atEnd: (undo) => void ends.push(undo),
    scenario: scenario([
      scoutRule,
      errorRule("p1/first", 401, "Incorrect API key provided"),
      coderRule("p2/second", "a * b"),
      coderRule("p3/third", "a + b"),
    ]),
  });
  const { code, stderr } = await run(["--max-attempts", "3"]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const files = { run: join(home, "run.html"), all: join(home, "all.html") };
  expect(await kit(["report", "--output", files.run])).toMatchObject({ code: 0, stderr: "" });
  expect(await kit(["report", "--all", "--output", files.all])).toMatchObject({ code: 0 });
  return files;
}

describe.skipIf(chromiumProgram === undefined)("a report in Chromium", () => {
  let browser: Browser;
  let files: { readonly run: string; readonly all: string };

  beforeAll(async () => {
    browser = await openBrowser();
    files = await realReports();
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    for (const end of ends.toReversed()) await end();
  });

  /** A window on a file; what it asks for beside the file is remembered. */
  async function open(
    file: string,
    { width, scheme }: (typeof looks)[number],
  ): Promise<{ readonly page: Page; readonly requests: readonly string[] }> {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: scheme,
    });
    ends.push(() => context.close());
    const page = await context.newPage();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(`file://${file}`);
    return { page, requests };
  }

  const pages = (["run", "all"] as const).flatMap((name) =>
    looks.map((look) => ({ name, ...look })),
  );

  test.each(pages)(
    "$name at $width pixels, $scheme: nothing overflows, and axe finds nothing",
    async ({ name, ...look }) => {
      const { page, requests } = await open(files[name], look);
      // Also what is folded has to be readable.
      await page.evaluate(
        "document.querySelectorAll('details').forEach((each) => (each.open = true))",
      );

      const found = await page.evaluate<Widths>(`(() => {
      const window = document.documentElement.clientWidth;
      const beyond = [...document.body.querySelectorAll("*")]
        .filter((each) => each.closest(".unseen") === null && each.getBoundingClientRect().right > window + 0.5)
        .map((each) => each.tagName + " " + each.textContent.slice(0, 40));
      return { page: document.documentElement.scrollWidth, window, beyond };
    })()`);
      await page.evaluate(axe.source);
      const violations = await page.evaluate<string[]>(`axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + " " + html)))`);

      expect(found).toEqual({ page: look.width, window: look.width, beyond: [] });
      expect(violations).toEqual([]);
      expect(requests).toEqual([`file://${files[name]}`]);
    },
  );

  test.each(looks)(
    "every attempt and verdict can be read in the picture of $width pixels, $scheme",
    async (look) => {
      const { page } = await open(files.run, look);

      const read = await page.locator("main").innerText();
      for (const text of [
        "scout 1",
        "coder 1",
        "coder 2",
        "coder 3",
        "p1/first",
        "p2/second",
        "p3/third",
        "fixed",
        "unchanged red",
        "add",
        "exit 1",
        "exit 0",
      ]) {
        expect(read).toContain(text);
      }
      for (const article of await page.locator("article").all()) {
        const box = await article.boundingBox();
        expect(box?.width).toBeGreaterThan(300);
        expect(box?.height).toBeGreaterThan(60);
      }
      const picture = join(temporaryFolder(), "report.png");
      await page.screenshot({ path: picture, fullPage: true });
      expect(statSync(picture).size).toBeGreaterThan(50_000);
    },
  );

  test("what a hostile model says is shown, does nothing, and breaks no line of a phone", async () => {
    const long = `${attack}${"x".repeat(1_000_000)}`;
    const diff = `--- a/x\n+++ b/${attack}\n@@ -0,0 +1,2 @@\n+${long}\n+${attack}\n`;
    const made = runWithDiff(diff, { headline: attack, moveText: () => attack });
    const file = join(temporaryFolder(), "hostile.html");
    writeFileSync(file, renderRunReport({ ...made, events: made.events.map(attacked) }));
    const { page, requests } = await open(file, { width: 390, scheme: "light" });
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => dialogs.push(dialog.message()));

    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await page.locator("h1").innerText()).toContain(
      '</script><img src=x onerror="alert(1)">',
    );
    expect(await page.locator("script, img").count()).toBe(0);
    expect({ dialogs, requests }).toEqual({ dialogs: [], requests: [`file://${file}`] });
  });

  test("a normal run fits in 300 kB, without a script", async () => {
    const { page } = await open(files.run, looks[0] ?? { width: 390, scheme: "light" });

    expect(await page.locator("script, link, img, iframe, object").count()).toBe(0);
    expect(statSync(files.run).size).toBeLessThan(300_000);
  });

  test("opens within a second with a diff of five megabytes", async () => {
    const lines = Array.from({ length: 70_000 }, (_, index) => `+${index} ${"y".repeat(70)}`);
    const diff = `--- /dev/null\n+++ b/big.txt\n@@ -0,0 +1,70000 @@\n${lines.join("\n")}\n`;
    const file = join(temporaryFolder(), "big.html");
    writeFileSync(file, renderRunReport(runWithDiff(diff)));
    const context = await browser.newContext();
    ends.push(() => context.close());

    // The best of some: another process may be in the way of one.
    const times: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const page = await context.newPage();
      const started = performance.now();
      await page.goto(`file://${file}`);
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
      times.push(performance.now() - started);
      await page.close();
    }

    expect(Math.min(...times)).toBeLessThan(1_000);
  });

  test("the markup of both is valid", async () => {
    for (const file of [files.run, files.all]) {
      const { results } = await validator.validateString(readFileSync(file, "utf8"));
      const told = results.flatMap(({ messages }) =>
        messages.map(({ ruleId, message, line }) => `${line} ${ruleId}: ${message}`),
      );
      expect(told).toEqual([]);
    }
  });
});
