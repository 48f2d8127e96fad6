import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./bundle.ts";
import { screenOf } from "./picture/screen.ts";
import { svgOf } from "./picture/svg.ts";

// Renders docs/demo.svg: what `kit demo` prints on a terminal of 100 columns, read off a real
// pseudo-terminal that script(1) of util-linux opens. Never drawn by hand.

const recorder = "script";
const columns = 100;
const folder = mkdtempSync(join(tmpdir(), "kit-picture-"));
try {
  const typescript = join(folder, "typescript");
  const kit = `"${process.execPath}" "${join(root, "bin", "kit.cjs")}" demo`;
  const { status, error } = spawnSync(
    recorder,
    ["-qec", `stty cols ${columns} rows 50; exec ${kit}`, typescript],
    { cwd: folder, env: terminalEnvironment(), stdio: ["ignore", "ignore", "inherit"] },
  );
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`kit demo ended with ${status}; nothing was drawn`);
  // script(1) writes a line of its own above and below.
  const printed = readFileSync(typescript, "utf8").replace(
    /^Script started.*\n|\nScript done.*\n?$/g,
    "",
  );
  writeFileSync(join(root, "docs", "demo.svg"), svgOf("kit demo", screenOf(printed, columns)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function terminalEnvironment(): NodeJS.ProcessEnv {
  const { NO_COLOR: _none, FORCE_COLOR: _forced, ...env } = process.env;
  return { ...env, TERM: "xterm-256color" };
}
