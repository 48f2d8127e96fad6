import { join } from "node:path";
import { type OutputOptions, type RolldownBuild, rolldown } from "rolldown";

/** The folder of the package. */
export const root = join(import.meta.dirname, "..");

/** The command line and the library with all dependencies in them; each command a chunk of its own. */
export function openBundle(): Promise<RolldownBuild> {
  return rolldown({
    input: {
      cli: join(root, "src/cli/start.ts"),
      index: join(root, "src/index.ts"),
      "survey-worker": join(root, "src/survey/terms/worker.ts"),
    },
    platform: "node",
    cwd: root,
    // Its main file calls `require` in a way that no bundler follows.
    resolve: {
      alias: { "jsonc-parser": join(root, "node_modules/jsonc-parser/lib/esm/main.js") },
    },
    onLog(level, log) {
      if (level === "warn") throw new Error(`rolldown: ${log.message}`);
    },
  });
}

/** Names stay readable: a stack of a user's must be. */
export const bundleOutput: OutputOptions = {
  dir: join(root, "dist"),
  cleanDir: true,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
};
