import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

// Builds `dist/`: the command line and the library as one split bundle with all dependencies in
// it, and the types of the library. Each command is a chunk of its own, loaded when asked for.

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

rmSync(dist, { recursive: true, force: true });
const bundle = await rolldown({
  input: { cli: join(root, "src/cli/start.ts"), index: join(root, "src/index.ts") },
  platform: "node",
  cwd: root,
  treeshake: true,
  onLog(level, log) {
    if (level === "warn") throw new Error(`rolldown: ${log.message}`);
  },
});
await bundle.write({
  dir: dist,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();

execFileSync(
  process.execPath,
  [join(root, "node_modules/typescript/bin/tsc"), "-p", join(root, "tsconfig.types.json")],
  { stdio: "inherit", cwd: root },
);
