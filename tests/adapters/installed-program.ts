import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

/**
 * Installs an npm package into a folder of its own before the tests of a file, and gives the path
 * of its program; `afterwards` is the one script of its installation that is run. `KIT_TEST_PROGRAMS` names a folder that is kept, for who runs them often.
 */
export function installedProgram(spec: string, program: string, afterwards?: string): string {
  const kept = process.env["KIT_TEST_PROGRAMS"];
  const folder =
    kept === undefined
      ? mkdtempSync(join(tmpdir(), "kit-program-"))
      : join(kept, spec.replaceAll(/[^\w.-]/g, "-"));
  const file = join(folder, "node_modules/.bin", program);

  beforeAll(() => {
    if (existsSync(file)) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"private":true}');
    const install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", spec];
    execFileSync("npm", install, { cwd: folder, stdio: "pipe" });
    if (afterwards !== undefined)
      execFileSync(process.execPath, [join("node_modules", afterwards)], {
        cwd: folder,
        stdio: "pipe",
      });
  }, 240_000);

  afterAll(() => {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  });

  return file;
}
