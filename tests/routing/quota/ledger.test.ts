import { describe, expect, test } from "vitest";
import { ownIdentity } from "../../../src/lib/processes/index.ts";
import { callTo, candidateOf, failed, good, noon, user } from "./support.ts";

const a = candidateOf("p1/a");
const sameAccount = candidateOf("p1/other");
const b = candidateOf("p2/b");
const spent = failed({ kind: "usage_limit", message: "spent" });
const minute = 60_000;
const hour = 60 * minute;

describe("a usage limit", () => {
  test("that one run meets is known to all at once, for every model of the account and no other", async () => {
    const here = await user();
    const [one, other] = [here.run("one"), here.run("other")];
    const resetAt = "2026-12-16T00:00:00.000Z";
    callTo(one, a, failed({ kind: "usage_limit", message: "16 days", resetAt }));
    expect(other.cooling(sameAccount)).toMatchObject({
      scope: "pool",
      name: "p1",
      until: Date.parse(resetAt),
      told: true,
    });
    expect(callTo(other, sameAccount, good())).toBe("cooling");
    expect(callTo(other, b, good())).toBe("go");
  });

  test("without a reset holds an hour, and twice as long each time it is met again, to five", async () => {
    const here = await user();
    const ledger = here.run();
    const held: number[] = [];
    for (let times = 0; times < 4; times += 1) {
      callTo(ledger, a, spent);
      const until = ledger.cooling(a)?.until ?? 0;
      held.push((until - here.at) / hour);
      here.at = until;
    }
    expect(held).toEqual([1, 2, 4, 5]);
    callTo(ledger, a, good());
    callTo(ledger, a, spent);
    expect((ledger.cooling(a)?.until ?? 0) - here.at).toBe(hour);
  });

  test("that is over lets one call find out, and the others wait for it", async () => {
    const here = await user();
    const [one, other] = [here.run("one"), here.run("other")];
    callTo(one, a, spent);
    here.at += hour;
    expect(other.cooling(a)).toBeUndefined();
    const probe = one.reserve(a, hour);
    here.at += 59_000;
    expect(other.reserve(a, hour).kind).toBe("knocking");
    if (probe.kind === "go") probe.flight.finish(good());
    expect(other.reserve(a, hour).kind).toBe("go");
  });

  test("with a reset in the past is one without: a clock goes wrong", async () => {
    const here = await user();
    const ledger = here.run();
    const resetAt = "2020-01-01T00:00:00.000Z";
    callTo(ledger, a, failed({ kind: "usage_limit", message: "", resetAt }));
    expect(ledger.cooling(a)).toMatchObject({ until: noon + hour, told: false });
  });

  test("is not shortened by a short one of the same account, but by what the provider says of it", async () => {
    const here = await user();
    const ledger = here.run();
    const flights = [1, 2, 3].map(() => {
      const admission = ledger.reserve(a, hour);
      if (admission.kind === "go") admission.flight.accepted();
      return admission;
    });
    const results = [
      spent,
      failed({ kind: "rate_limit", message: "", retryAfterMs: 5_000 }),
      failed({ kind: "usage_limit", message: "", resetAt: "2026-11-30T12:20:00Z" }),
    ];
    const held = flights.map((admission, nth) => {
      const result = results[nth];
      if (admission.kind === "go" && result) admission.flight.finish(result);
      return ((ledger.cooling(a)?.until ?? 0) - noon) / minute;
    });
    expect(held).toEqual([60, 60, 20]);
  });
});

describe("calls to one account", () => {
  test("start one after the other: the next one when the provider answers the last, or after 10 s", async () => {
    const here = await user();
    const ledger = here.run();
    const first = ledger.reserve(a, hour);
    expect(ledger.reserve(sameAccount, hour).kind).toBe("knocking");
    expect(ledger.reserve(b, hour).kind).toBe("go");
    if (first.kind === "go") first.flight.accepted();
    expect(ledger.reserve(sameAccount, hour).kind).toBe("go");
    here.at += 9_999;
    expect(ledger.reserve(a, hour).kind).toBe("knocking");
    here.at += 1;
    expect(ledger.reserve(a, hour).kind).toBe("go");
  });

  test("of a process that is gone are over, and what they cost is unknown", async () => {
    const here = await user();
    const dead = { ...ownIdentity(), started: "long ago" };
    here.run("killed", dead).reserve(a, hour);
    expect(here.run().reserve(a, hour).kind).toBe("go");
    expect(here.store.all("SELECT calls, tokens_unknown, usd_unknown FROM spend")).toEqual([
      { calls: 1, tokens_unknown: 1, usd_unknown: 1 },
    ]);
  });

  test("of another machine are over with their lease", async () => {
    const here = await user();
    here.run("far", { pid: 1, started: "", host: "far" }).reserve(a, 4_000);
    expect(here.run().reserve(a, hour).kind).toBe("knocking");
    here.at += 4_001;
    expect(here.run().reserve(a, hour).kind).toBe("go");
  });
});

describe("being signed out", () => {
  test("is known to runs under way, and asked anew by the next: its user may have signed in", async () => {
    const here = await user();
    const [one, other] = [here.run("one"), here.run("other")];
    here.at += minute;
    one.note(a, { kind: "auth", message: "401" });
    expect(other.cooling(sameAccount)).toMatchObject({ scope: "provider", failure: "auth" });
    expect(one.cooling(sameAccount)).toBeUndefined();
    here.at += 1;
    expect(here.run("later").cooling(a)).toBeUndefined();
  });
});

describe("a model that is overloaded", () => {
  test("is asked last by other runs for half a minute, and held against by none", async () => {
    const here = await user();
    const [one, other] = [here.run("one"), here.run("other")];
    one.note(a, { kind: "overloaded", message: "503" });
    expect(other.cooling(a)).toBeUndefined();
    expect(other.askedLast(a)?.scope).toBe("candidate");
    expect(other.askedLast(sameAccount)).toBeUndefined();
    expect(one.askedLast(a)).toBeUndefined();
    here.at += 30_000;
    expect(other.askedLast(a)).toBeUndefined();
  });
});

test("spend is added up by day and model; what nobody told stays unknown", async () => {
  const here = await user();
  const ledger = here.run();
  callTo(ledger, a, good({ input: 100, output: 20 }, 0.25));
  callTo(ledger, a, good());
  callTo(ledger, a, failed({ kind: "timeout", message: "slow" }));
  here.at += 24 * hour;
  callTo(ledger, a, good({ input: 1, output: 1 }, 0));
  expect(here.store.all("SELECT * FROM spend ORDER BY day")).toEqual([
    {
      day: "2026-11-30",
      pool: "p1",
      provider: "p1",
      model: "a",
      calls: 3,
      input: 100,
      output: 20,
      tokens_unknown: 2,
      usd: 0.25,
      usd_unknown: 2,
    },
    expect.objectContaining({ day: "2026-12-01", calls: 1, usd: 0, usd_unknown: 0 }),
  ]);
});

test("a window counts the calls since the last reset, and how many it held", async () => {
  const here = await user();
  const ledger = here.run();
  callTo(ledger, a, good({ input: 5, output: 5 }));
  callTo(ledger, a, good({ input: 5, output: 5 }));
  callTo(ledger, a, spent);
  const windows = (): unknown[] => [...here.store.all("SELECT * FROM pool_window")];
  expect(windows()).toMatchObject([{ calls: 3, tokens: 20, limited_calls: 2 }]);
  here.at += hour;
  callTo(ledger, a, good());
  expect(windows()).toMatchObject([{ since: here.at, calls: 1, limited_calls: 2 }]);
});

describe("a reservation", () => {
  test("may last a part of a millisecond: half of what a run has left", async () => {
    const ledger = (await user()).run();
    expect(ledger.reserve(a, 1_500.5)).toMatchObject({ kind: "go" });
  });
});
