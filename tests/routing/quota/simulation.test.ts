import { test } from "vitest";
import { simulate } from "./simulation.ts";

test("three processes on one ledger meet each limit once, starve nobody, and survive a kill -9", async () => {
  await simulate({ processes: 3, tasks: 45, pace: 200, kills: 1 });
});
