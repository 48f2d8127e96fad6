import { expect, test } from "vitest";
import { type Job, runJobs, type ScheduleRequest } from "../../../src/cli/batch/schedule.ts";

interface Costing extends Job {
  readonly costs: number;
}

/** Jobs that end in the order they were started, a turn of the loop later. */
async function played(
  jobs: readonly Costing[],
  more: Partial<ScheduleRequest<Costing>> = {},
): Promise<{ readonly log: string[]; readonly unstarted: unknown }> {
  const log: string[] = [];
  const end = await runJobs<Costing>({
    jobs,
    atOnce: 2,
    signal: new AbortController().signal,
    async run({ id, costs }, meter, capUsd) {
      log.push(capUsd === undefined ? `+${id}` : `+${id} of ${capUsd}`);
      await new Promise((resolve) => setImmediate(resolve));
      meter.spend(costs);
      log.push(`-${id}`);
      return "ended";
    },
    ...more,
  });
  return { log, unstarted: end && [end.because, ...end.jobs.map(({ id }) => id)] };
}

const costing = (id: string, costs: number, budgetUsd?: number): Costing => ({
  id,
  costs,
  ...(budgetUsd !== undefined && { budgetUsd }),
});

test("so many run at once, in the order they were given", async () => {
  const jobs = ["a", "b", "c"].map((id) => costing(id, 1));
  const { log, unstarted } = await played(jobs);
  expect(log.slice(0, 2)).toEqual(["+a", "+b"]);
  expect(log.indexOf("+c")).toBeGreaterThan(log.indexOf("-a"));
  expect([log.length, unstarted]).toEqual([6, undefined]);
});

test("none is started that the budget would not suffice for, by what the others cost", async () => {
  const jobs = ["a", "b", "c", "d"].map((id) => costing(id, 2));
  const budget = { usd: 6, spentUsd: 1 };
  const { log, unstarted } = await played(jobs, { atOnce: 1, budget });
  expect(log).toEqual(["+a of 5", "-a", "+b of 3", "-b"]);
  expect(unstarted).toEqual(["budget", "c", "d"]);
});

test("one with a budget of its own counts for all of it until it has ended", async () => {
  const jobs = [costing("a", 1, 4), costing("b", 1, 4), costing("c", 1, 4)];
  const { log, unstarted } = await played(jobs, { budget: { usd: 5, spentUsd: 0 } });
  expect(log.slice(0, 2)).toEqual(["+a of 4", "+b of 1"]);
  expect(log.filter((line) => line.startsWith("+"))).toHaveLength(3);
  expect(unstarted).toBeUndefined();
});

test("after one that had too little left, no more are started", async () => {
  const jobs = [costing("a", 0), costing("b", 0)];
  const run = (): Promise<"starved"> => Promise.resolve("starved");
  const { unstarted } = await played(jobs, { atOnce: 1, budget: { usd: 1, spentUsd: 0 }, run });
  expect(unstarted).toEqual(["budget", "b"]);
});

test("interrupted, no more are started and the running ones are waited for", async () => {
  const stop = new AbortController();
  const ended: string[] = [];
  const { unstarted } = await played([costing("a", 0), costing("b", 0)], {
    atOnce: 1,
    signal: stop.signal,
    async run({ id }) {
      stop.abort();
      await new Promise((resolve) => setImmediate(resolve));
      ended.push(id);
      return "ended";
    },
  });
  expect([ended, unstarted]).toEqual([["a"], ["interrupted", "b"]]);
});

test("a fault of one is told once the others have ended", async () => {
  const log: string[] = [];
  const running = played([costing("a", 0), costing("b", 0), costing("c", 0)], {
    async run({ id }) {
      if (id === "a") throw new Error("disk full");
      await new Promise((resolve) => setImmediate(resolve));
      log.push(id);
      return "ended";
    },
  });
  await expect(running).rejects.toThrow("disk full");
  expect(log).toEqual(["b"]);
});
