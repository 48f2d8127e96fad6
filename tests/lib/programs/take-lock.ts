// Takes the lock it is given, says so, and keeps it until its standard input ends.
import { once } from "node:events";
import { acquireLock } from "../../../src/lib/lock.ts";

const [file = "", holder = ""] = process.argv.slice(2);
const lock = await acquireLock(file, { holder });
const told =
  "heldBy" in lock ? { heldBy: lock.heldBy } : { takenOverFrom: lock.takenOverFrom ?? null };
process.stdout.write(`${JSON.stringify(told)}\n`);
process.stdin.resume();
await once(process.stdin, "end");
if (!("heldBy" in lock)) await lock.release();
