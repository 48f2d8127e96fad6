import { once } from "node:events";
import { listRows } from "../../../src/runs/index.ts";

// Says it is ready, waits for a line, then lists the runs again and again for so many milliseconds.
const [folder = "", , forMs = ""] = process.argv.slice(2);
console.log("ready");
await once(process.stdin, "data");

let lists = 0;
for (const end = Date.now() + Number(forMs); Date.now() < end; lists += 1) await listRows(folder);
console.log(JSON.stringify({ lists }));
process.stdin.destroy();
