// Stands for kit: runs the shell line it is given, until something ends it or the line is done.
import { join } from "node:path";
import { processMarker, runToFile } from "../../../../src/lib/processes/index.ts";

const [line = "", folder = ""] = process.argv.slice(2);
console.log(processMarker());
const { ended } = await runToFile({
  command: { shell: line },
  cwd: folder,
  env: process.env,
  outputFile: join(folder, "output.txt"),
  maxOutputBytes: 1_000_000,
  timeoutMs: 60_000,
  signal: new AbortController().signal,
});
console.log(JSON.stringify(ended));
