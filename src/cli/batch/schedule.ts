/** Something that is run among others. */
export interface Job {
  readonly id: string;
  /** What it may spend at most, where that is known. */
  readonly budgetUsd?: number;
}

/** What a job spends while it runs. */
export interface Meter {
  /** So much more is known to be spent. */
  spend(usd: number): void;
}

export interface ScheduleRequest<J extends Job> {
  readonly jobs: readonly J[];
  /** So many at once. */
  readonly atOnce: number;
  /** For all of them together, with what was spent before. */
  readonly budget?: { readonly usd: number; readonly spentUsd: number };
  /** Aborted: no more are started. */
  readonly signal: AbortSignal;
  /**
   * Runs one to its end.
   * @param capUsd what is left for it; absent without a budget
   * @returns `starved` where what was left for it did not suffice: no more are started
   */
  readonly run: (job: J, meter: Meter, capUsd: number | undefined) => Promise<"starved" | "ended">;
}

/** Jobs that were not started, and why. */
export interface Unstarted<J> {
  readonly jobs: readonly J[];
  readonly because: "budget" | "interrupted";
}

/**
 * Runs jobs in their order, so many at once. A job counts for what it has spent, and at least for
 * its own budget or what those before it cost on average: none is started that the budget of all
 * would not suffice for.
 * @throws what `run` throws, once the others have ended
 */
export async function runJobs<J extends Job>(
  request: ScheduleRequest<J>,
): Promise<Unstarted<J> | undefined> {
  const { jobs, atOnce, budget, signal } = request;
  const waiting = [...jobs];
  const running = new Map<J, { spentUsd: number; promise: Promise<void> }>();
  const ended: number[] = [];
  const faults: unknown[] = [];
  let isStarved = false;

  const spentBefore = (): number => (budget?.spentUsd ?? 0) + sum(ended);
  const usual = (): number => (ended.length === 0 ? 0 : sum(ended) / ended.length);
  const expected = ({ budgetUsd }: J): number => budgetUsd ?? usual();
  const committed = (): number =>
    spentBefore() +
    sum([...running].map(([job, { spentUsd }]) => Math.max(spentUsd, expected(job))));

  async function runOne(job: J, meter: Meter, capUsd: number | undefined): Promise<void> {
    try {
      if ((await request.run(job, meter, capUsd)) === "starved") isStarved = true;
    } catch (error) {
      faults.push(error);
    }
    ended.push(running.get(job)?.spentUsd ?? 0);
    running.delete(job);
  }

  function start(job: J, capUsd: number | undefined): void {
    const state = { spentUsd: 0, promise: Promise.resolve() };
    running.set(job, state);
    state.promise = runOne(job, { spend: (usd) => void (state.spentUsd += usd) }, capUsd);
  }

  let because: Unstarted<J>["because"] | undefined;
  for (;;) {
    const mayStart = !signal.aborted && faults.length === 0 && running.size < atOnce;
    const [next] = waiting;
    const leftUsd = budget === undefined ? undefined : budget.usd - committed();
    const isPaidFor = leftUsd === undefined || (!isStarved && leftUsd > 0 && leftUsd >= usual());
    if (next !== undefined && mayStart && isPaidFor) {
      waiting.shift();
      start(next, smaller(leftUsd, next.budgetUsd));
      continue;
    }
    if (running.size === 0) {
      if (waiting.length > 0) because = signal.aborted ? "interrupted" : "budget";
      break;
    }
    await Promise.race([...running.values()].map(({ promise }) => promise));
  }
  if (faults.length > 0) throw faults[0];
  return because === undefined ? undefined : { jobs: waiting, because };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

function smaller(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
