import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Where Chromium is on Debian, Fedora and in the images of CI; the first that is there. */
const programs = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Absolute; undefined, said once on stderr, where there is none. */
export const chromiumProgram = programs.find((program) => existsSync(program));

if (chromiumProgram === undefined) {
  process.stderr.write(`reports in a browser: skipped, none of ${programs.join(", ")} is there\n`);
}

/** Chromium without a window, which asks nobody for anything. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(chromiumProgram !== undefined && { executablePath: chromiumProgram }),
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** What `page.evaluate` runs in the browser speaks of; the project's own types know no DOM. */
export interface Widths {
  readonly page: number;
  readonly window: number;
  /** Elements that reach beyond the window, by their text. */
  readonly beyond: readonly string[];
}
