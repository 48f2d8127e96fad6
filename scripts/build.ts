import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { bundleOutput, openBundle, root } from "./bundle.ts";

// Builds `dist/`: the bundle, and the types of the library.

const bundle = await openBundle();
await bundle.write(bundleOutput);
await bundle.close();

const compiler = join(root, "node_modules/typescript/bin/tsc");
const project = join(root, "tsconfig.types.json");
execFileSync(process.execPath, [compiler, "-p", project], { stdio: "inherit", cwd: root });
