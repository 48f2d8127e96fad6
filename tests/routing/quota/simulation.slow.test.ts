import { test } from "vitest";
import { simulate } from "./simulation.ts";

test("eight processes, three accounts and 200 tasks: one limit error an account and window", async () => {
  await simulate({ processes: 8, tasks: 200, pace: 100, kills: 0 });
});

test("a kill -9 of any of them leaves the ledger whole, and the others go on", async () => {
  await simulate({ processes: 8, tasks: 200, pace: 100, kills: 6 });
});
