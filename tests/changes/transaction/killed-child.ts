import { openTransactions } from "../../../src/changes/index.ts";
import { watchedDisk } from "./faults.ts";
import { planTwenty } from "./twenty-files.ts";

/**
 * Run as a process of its own: does `apply` (and accept), `undo` or `recover` on a tree and kills itself
 * (SIGKILL) before the n-th effect (`7`, or `link:7` for the seventh link), in the middle of it where
 * it is a write. Prints the number of effects when it lives.
 */
const [action, root = "", stateDir = "", killAt = "0"] = process.argv.slice(2);
const counts = new Map<string, number>();
const disk = watchedDisk(async ({ number, name, half }) => {
  counts.set("all", number).set(name, (counts.get(name) ?? 0) + 1);
  if (killAt !== String(number) && killAt !== `${name}:${counts.get(name)}`) return;
  await half?.();
  process.kill(process.pid, "SIGKILL");
  await new Promise(() => {});
});
const transactions = openTransactions({ root, stateDir, newId: () => "t1", fileSystem: disk });
if (action === "apply") {
  const result = await transactions.apply(planTwenty());
  if (!result.ok) throw new Error(result.failure.message);
  await transactions.accept(result.applied);
} else if (action === "undo") await transactions.undo("t1");
else await transactions.recover();
process.stdout.write(String(counts.get("all") ?? 0));
