import { once } from "node:events";
import { createRun } from "../../../src/runs/index.ts";
import { noteRun } from "../../../src/runs/rows/list.ts";

// Says it is ready, waits for a line, then records one run after another for so many milliseconds,
// and notes each in the index again and again. Prints what came of it.
const [folder = "", writer = "", forMs = ""] = process.argv.slice(2);
console.log("ready");
await once(process.stdin, "data");

const ids: string[] = [];
let notTaken = 0;
for (const end = Date.now() + Number(forMs); Date.now() < end;) {
  const nth = String(ids.length).padStart(6, "0");
  const id = `20261130-${nth}-w${writer.padStart(3, "0")}`;
  const run = await createRun({ folder, id, clock: () => new Date(0) });
  await run.emit({
    type: "run_started",
    runId: id,
    task: `Task ${id}`,
    root: "/repo",
    kitVersion: "0.1.0",
    settings: {},
  });
  await run.emit({ type: "run_finished", outcome: "success", exitCode: 0, changedFiles: [] });
  await run.close();
  ids.push(id);
  for (let times = 0; times < 5; times += 1) notTaken += Number(!(await noteRun(folder, id)));
}
console.log(JSON.stringify({ ids, notTaken }));
process.stdin.destroy();
