import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type CallResult,
  type Failure,
  type FailureKind,
  failureKinds,
} from "../../src/contracts/index.ts";
import { failureTable, type Move } from "../../src/pipeline/index.ts";
import { repository, snapshot } from "../support/repository.ts";
import {
  candidate,
  fileBlock,
  fixedMath,
  mathPack,
  packText,
  play,
  redRepository,
  type Scene,
} from "./support.ts";

const a = candidate("p1/a");
const b = candidate("p2/b");
const c = candidate("p3/c");
const right = fileBlock("src/math.js", fixedMath);
const wrong = fileBlock("src/math.js", "export const add = (a, b) => a * b;\n");

function failed(failure: Failure): CallResult {
  return { ok: false, failure };
}

function withPack(scene: Omit<Scene, "pack">): Scene {
  return { pack: mathPack, ...scene };
}

/** Snapshot of the tree without kit's own records. */
function treeOf(root: string): Map<string, string> {
  return snapshot(root, [".git", ".kit"]);
}

describe("a run", () => {
  test("scouts, codes and leaves a green change in the tree, uncommitted", async () => {
    const { outcome, root, calls } = await play({
      coder: [a],
      answer: ({ candidate: name }) => (name === "p0/scout" ? packText("src/math.js") : right),
    });
    expect(outcome).toMatchObject({ outcome: "success", changedFiles: ["src/math.js"] });
    expect(calls.map((call) => call.candidate)).toEqual(["p0/scout", "p1/a"]);
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toBe(fixedMath);
  });

  test("shows the scout the red output of the untouched tree", async () => {
    const { calls } = await play({
      coder: [a],
      answer: ({ candidate: name }) => (name === "p0/scout" ? packText("src/math.js") : right),
    });
    expect(calls[0]?.prompt).toContain("AssertionError: 3 !== 5");
  });

  test("starts every model from the same tree and tells the next one what was tried", async () => {
    const seen: string[] = [];
    const root = repository(redRepository);
    const { outcome, calls } = await play(
      withPack({
        root,
        coder: [a, b],
        answer: ({ candidate: name }) => {
          seen.push(readFileSync(join(root, "src/math.js"), "utf8"));
          return name === "p1/a" ? wrong : right;
        },
      }),
    );
    expect(outcome.outcome).toBe("success");
    expect(seen).toEqual([redRepository["src/math.js"], redRepository["src/math.js"]]);
    expect(calls[1]?.prompt).toContain("coder on p1/a (p1/a), attempt 1");
    expect(calls[1]?.prompt).toContain("AssertionError: 3 !== 5");
  });

  test("takes everything back to the byte when no model succeeds", async () => {
    const root = repository({ ...redRepository, "crlf.txt": "a\r\nb" });
    const before = treeOf(root);
    const { outcome } = await play(withPack({ root, coder: [a, b], answer: () => wrong }));
    expect(outcome.outcome).toBe("exhausted");
    expect(treeOf(root)).toEqual(before);
  });

  test("names the next candidate when the attempts are used up", async () => {
    const { outcome, calls } = await play(
      withPack({
        coder: [a, b, c],
        limits: { maxAttempts: 2 },
        answer: ({ candidate: name }) => fileBlock("src/math.js", `// ${name}\n`),
      }),
    );
    expect(calls).toHaveLength(2);
    expect(outcome).toMatchObject({ outcome: "exhausted", nextCandidate: { backend: "p3/c" } });
  });

  test("leaves the last refused change in the tree with --keep-failed", async () => {
    const { outcome, root, events } = await play(
      withPack({ coder: [a], options: { keepFailed: true }, answer: () => wrong }),
    );
    expect(outcome).toMatchObject({ outcome: "exhausted", changedFiles: ["src/math.js"] });
    expect(events.filter((event) => event.type === "applied")).toHaveLength(2);
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toContain("a * b");
  });

  test("applies without a test command only where that was allowed, and says untested", async () => {
    const { outcome } = await play(
      withPack({ test: "", coder: [a], options: { allowUntested: true }, answer: () => right }),
    );
    expect(outcome.outcome).toBe("untested");
  });

  test("ends with no_pack when the scout replies and never with a valid pack", async () => {
    const { outcome, calls } = await play({ coder: [a], answer: () => "Sorry, I cannot." });
    expect(outcome.outcome).toBe("no_pack");
    expect(calls).toHaveLength(1);
  });
});

/** Whom a failure of `p1/a` makes kit ask, when `p1/other` is of the same provider and account. */
const askedAfter: Partial<Record<Move, readonly string[]>> = {
  leave_pool: ["p1/a", "p2/b"],
  leave_provider: ["p1/a", "p2/b"],
  other_provider: ["p1/a", "p2/b"],
  larger_window: ["p1/a", "p1/other", "p2/b"],
  next: ["p1/a", "p1/other", "p2/b"],
  same_once: ["p1/a", "p1/a", "p1/other", "p1/other", "p2/b"],
  same_once_told: ["p1/a", "p1/a", "p1/other", "p1/other", "p2/b"],
  wait_then_same: ["p1/a", "p1/a", "p1/other", "p1/other", "p2/b"],
  retry_then_next: ["p1/a", "p1/a", "p1/a", "p1/other", "p1/other", "p1/other", "p2/b"],
};

const providerFailures = failureKinds
  .map((kind) => ({ kind, ...failureTable[kind] }))
  .filter(({ blame }) => blame === "provider");

describe("after a provider failure", () => {
  test.each(providerFailures)("$kind moves on by $move", async ({ kind, move }) => {
    const sameProvider = candidate("p1/other", { quotaPool: "p1/a" });
    const { outcome, calls } = await play(
      withPack({
        coder: [a, sameProvider, b],
        limits: { maxAttempts: 5 },
        answer: ({ candidate: name }) =>
          name === "p2/b" ? right : failed({ kind, message: "said the provider" } as Failure),
      }),
    );
    expect(calls.map((call) => call.candidate)).toEqual(askedAfter[move]);
    expect(outcome.outcome).toBe("success");
  });

  test("an account that is spent for the scout is left alone by the coder, until its reset", async () => {
    const account = { quotaPool: "account" };
    const { calls, events } = await play({
      scout: [candidate("p1/small", account), candidate("p9/scout")],
      coder: [candidate("p1/big", account), b],
      answer: ({ candidate: name }) => {
        if (name === "p9/scout") return packText("src/math.js");
        const resetAt = "2999-01-01T00:00:00.000Z";
        return name === "p2/b" ? right : failed({ kind: "usage_limit", message: "spent", resetAt });
      },
    });
    expect(calls.map((call) => call.candidate)).toEqual(["p1/small", "p9/scout", "p2/b"]);
    expect(events.find((event) => event.type === "pool_left")).toMatchObject({
      pool: "account",
      until: "2999-01-01T00:00:00.000Z",
    });
  });

  test("another thinking level of the model is skipped; after red tests it is asked", async () => {
    const high = candidate("p1/a:high");
    const provider = await play(
      withPack({
        coder: [a, high, b],
        answer: ({ candidate: name }) =>
          name === "p2/b" ? right : failed({ kind: "timeout", message: "slow" }),
      }),
    );
    expect(provider.calls.map((call) => call.candidate)).toEqual(["p1/a", "p2/b"]);
    const work = await play(
      withPack({
        coder: [a, high, b],
        answer: ({ candidate: name }) => (name === "p1/a" ? wrong : right),
      }),
    );
    expect(work.calls.map((call) => call.candidate)).toEqual(["p1/a", "p1/a:high"]);
  });

  test("a larger window is wanted after an overflow, and a prompt that cannot fit is not sent", async () => {
    const small = candidate("p2/small", { contextWindow: 100 });
    const asLarge = candidate("p3/same", { contextWindow: 50_000 });
    const large = candidate("p4/large", { contextWindow: 200_000 });
    const { calls, events } = await play(
      withPack({
        coder: [candidate("p1/first", { contextWindow: 50_000 }), small, asLarge, large],
        answer: ({ candidate: name }) =>
          name === "p4/large" ? right : failed({ kind: "context_overflow", message: "too long" }),
      }),
    );
    expect(calls.map((call) => call.candidate)).toEqual(["p1/first", "p4/large"]);
    expect(events.filter((event) => event.type === "candidate_skipped")).toHaveLength(2);
  });

  test("candidates that never reply are free: attempts count replies only", async () => {
    const { outcome, calls } = await play(
      withPack({
        coder: [a, b, c],
        limits: { maxAttempts: 1 },
        answer: ({ candidate: name }) =>
          name === "p3/c" ? right : failed({ kind: "auth", message: "401" }),
      }),
    );
    expect(calls).toHaveLength(3);
    expect(outcome.outcome).toBe("success");
  });

  test("ends with exit 3 when nobody ever replied", async () => {
    const { outcome } = await play(
      withPack({ coder: [a, b], answer: () => failed({ kind: "auth", message: "401" }) }),
    );
    expect(outcome).toMatchObject({ outcome: "exhausted", exitCode: 3 });
  });

  test("waits as told for a short limit, and not at all for one over a minute", async () => {
    const answer =
      (retryAfterMs: number): Scene["answer"] =>
      ({ candidate: name }) =>
        name === "p2/b"
          ? right
          : failed({ kind: "rate_limit", message: "slow down", retryAfterMs });
    const short = await play(withPack({ coder: [a, b], answer: answer(7_000) }));
    expect(short.waitedMs).toBe(7_000);
    const long = await play(withPack({ coder: [a, b], answer: answer(61_000) }));
    expect(long.waitedMs).toBe(0);
    expect(long.calls.map((call) => call.candidate)).toEqual(["p1/a", "p2/b"]);
  });

  test("stops when the calls of the run are used up", async () => {
    const { outcome, calls } = await play(
      withPack({
        coder: [a, b, c],
        limits: { maxCalls: 2 },
        answer: () => failed({ kind: "empty_reply", message: "" }),
      }),
    );
    expect(calls).toHaveLength(2);
    expect(outcome).toMatchObject({ outcome: "stopped", failure: { kind: "budget" } });
  });

  test("keeps time back for those who come after, and says when the run's time is over", async () => {
    let given = 0;
    await play(
      withPack({
        coder: [a, b],
        limits: { timeoutMs: 20_000, callTimeoutMs: 60_000 },
        answer: ({ candidate: name, request }) => {
          if (name === "p1/a") given = request.timeoutMs;
          return name === "p1/a" ? wrong : right;
        },
      }),
    );
    expect(given).toBeGreaterThan(0);
    expect(given).toBeLessThanOrEqual(10_000);
  });
});

describe("a second turn of the same candidate", () => {
  const turns: readonly { kind: FailureKind; first: string; second: string; told: string }[] = [
    { kind: "format", first: "I could not find the bug.", second: right, told: "no file block" },
    {
      kind: "apply",
      first:
        "=== EDIT: src/math.js ===\n<<<<<<< SEARCH\nnot there\n=======\nx\n>>>>>>> REPLACE\n=== END ===\n",
      second: right,
      told: "src/math.js",
    },
    { kind: "needs_file", first: "=== NEED: check.sh ===\n", second: right, told: "grep -q" },
  ];

  test.each(turns)(
    "comes once after $kind, told what was wrong",
    async ({ first, second, told }) => {
      const { outcome, calls } = await play(
        withPack({ coder: [a], answer: ({ nth }) => (nth === 1 ? first : second) }),
      );
      expect(outcome.outcome).toBe("success");
      expect(calls).toHaveLength(2);
      expect(calls[1]?.prompt).toContain(told);
    },
  );

  test("may answer with the failed blocks only: the others are kept", async () => {
    const edit = (search: string, replace: string): string =>
      `=== EDIT: src/math.js ===\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n=== END ===\n`;
    const { outcome, root } = await play({
      files: { ...redRepository, "notes.txt": "one\n" },
      pack: { ...mathPack, relevantFiles: [{ path: "src/math.js" }, { path: "notes.txt" }] },
      coder: [a],
      answer: ({ nth }) =>
        nth === 1
          ? fileBlock("notes.txt", "two\n") + edit("not there", "x")
          : edit("export const add = (a, b) => a - b;", "export const add = (a, b) => a + b;"),
    });
    expect(outcome.changedFiles).toEqual(["notes.txt", "src/math.js"]);
    expect(readFileSync(join(root, "notes.txt"), "utf8")).toBe("two\n");
  });

  test("never comes twice for the same reason", async () => {
    const { calls } = await play(
      withPack({
        coder: [a, b],
        answer: ({ candidate: name }) => (name === "p1/a" ? "prose" : right),
      }),
    );
    expect(calls.map((call) => call.candidate)).toEqual(["p1/a", "p1/a", "p2/b"]);
  });

  test("is the last candidate's one repair after red tests, and only the last one's", async () => {
    const { outcome, calls } = await play(
      withPack({
        coder: [a, b],
        options: { repairs: "last" },
        answer: ({ candidate: name, nth }) =>
          name === "p2/b" && nth === 2 ? right : fileBlock("src/math.js", `// ${name}\n`),
      }),
    );
    expect(calls.map((call) => call.candidate)).toEqual(["p1/a", "p2/b", "p2/b"]);
    expect(calls[2]?.prompt).toContain("+// p2/b");
    expect(outcome.outcome).toBe("success");
  });

  test("an equal change set is a repeat, not worth testing", async () => {
    const { events } = await play(withPack({ coder: [a, b], answer: () => wrong }));
    const verdicts = events.filter((event) => event.type === "verdict");
    expect(verdicts).toHaveLength(1);
    expect(events.findLast((event) => event.type === "attempt_finished")).toMatchObject({
      failure: { kind: "repeat" },
    });
  });
});

describe("what a model may not do", () => {
  test("touch a file outside the pack, an existing test or a test script", async () => {
    const root = repository({
      ...redRepository,
      "package.json": '{"scripts":{"test":"sh check.sh"}}\n',
      "test/math.test.js": "assert(add(2, 3) === 5);\n",
    });
    const pack = {
      ...mathPack,
      relevantFiles: [
        { path: "src/math.js" },
        { path: "package.json" },
        { path: "test/math.test.js" },
      ],
    };
    const before = treeOf(root);
    const { events } = await play({
      root,
      pack,
      coder: [a, b, c],
      answer: ({ candidate: name }) =>
        ({
          "p1/a": fileBlock(".github/workflows/x.yml", "x\n"),
          "p2/b": fileBlock("test/math.test.js", "\n"),
          "p3/c": fileBlock("package.json", '{"scripts":{"test":"true"}}\n'),
        })[name] ?? "",
    });
    const kinds = events.flatMap((event) =>
      event.type === "attempt_finished" ? [event.failure?.kind] : [],
    );
    expect(kinds).toEqual(["out_of_scope", "tests_weakened", "tests_weakened"]);
    expect(treeOf(root)).toEqual(before);
  });
});

describe("a protected path", () => {
  const path = ".github/workflows/ci.yml";
  const pack = { ...mathPack, relevantFiles: [{ path: "src/math.js" }, { path }] };
  const files = { ...redRepository, [path]: "on: push\n" };
  const both = right + fileBlock(path, "on: [push]\n");

  test("is not written because a pack lists it", async () => {
    const { outcome } = await play({ files, pack, coder: [a], answer: () => both });
    expect(outcome).toMatchObject({ outcome: "exhausted", failure: { kind: "out_of_scope" } });
  });

  test("is written where the user's task names it", async () => {
    const task = `Fix add(), and mend ${path}.`;
    const { outcome } = await play({ files, pack, task, coder: [a], answer: () => both });
    expect(outcome.changedFiles.toSorted()).toEqual([path, "src/math.js"]);
  });
});

describe("a file with credentials", () => {
  const secret = ["sk", "live", "4eC39HqLyjWDarjtT1zdp7dc"].join("_");
  const files = {
    ...redRepository,
    "src/math.js": `const key = "${secret}";\n${redRepository["src/math.js"]}`,
  };

  test("is shown masked, may be edited elsewhere, and keeps its values", async () => {
    const { outcome, calls, root } = await play(
      withPack({
        files,
        coder: [a],
        answer: () =>
          "=== EDIT: src/math.js ===\n<<<<<<< SEARCH\nexport const add = (a, b) => a - b;\n=======\nexport const add = (a, b) => a + b;\n>>>>>>> REPLACE\n=== END ===\n",
      }),
    );
    expect(outcome.outcome).toBe("success");
    expect(calls[0]?.prompt).not.toContain(secret);
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toContain(secret);
  });

  test("is not written whole: the model saw masks where its values are", async () => {
    const { events, root } = await play(withPack({ files, coder: [a], answer: () => right }));
    expect(events.findLast((event) => event.type === "attempt_finished")).toMatchObject({
      failure: { kind: "apply" },
    });
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toBe(files["src/math.js"]);
  });
});

describe("code that turns against its judge", () => {
  const files = {
    ...redRepository,
    "test/math.test.js": "assert(add(2, 3) === 5);\n",
    "check.sh": "sh src/hook.sh; grep -q 'a + b' src/math.js || exit 1\n",
    "src/hook.sh": "true\n",
  };
  const pack = { ...mathPack, relevantFiles: [{ path: "src/math.js" }, { path: "src/hook.sh" }] };
  const attack = right + fileBlock("src/hook.sh", "echo weak > test/math.test.js\n");

  test("by writing over tests while they run ends the run; what they held is kept", async () => {
    const root = repository(files);
    writeFileSync(join(root, "test/math.test.js"), "typed by the user, not committed\n");
    const { outcome } = await play({ root, pack, coder: [a, b], answer: () => attack });
    expect(outcome).toMatchObject({
      outcome: "conflict",
      failure: { paths: ["test/math.test.js"] },
    });
    const keptIn = outcome.failure?.kind === "conflict" ? (outcome.failure.keptIn ?? "") : "";
    expect(readFileSync(join(keptIn, "test/math.test.js"), "utf8")).toContain("typed by the user");
  });

  test("cannot edit the script that the test command names", async () => {
    const { outcome } = await play({
      pack: { ...mathPack, relevantFiles: [{ path: "check.sh" }] },
      coder: [a],
      answer: () => fileBlock("check.sh", "true\n"),
    });
    expect(outcome.failure?.kind).toBe("tests_weakened");
  });
});

describe("what the test command runs", () => {
  const manifest = '{ "scripts": { "test": "sh check.sh" } }\n';
  const files = { ...redRepository, "package.json": manifest, "check.sh": "node src/math.js\n" };
  const writes = (name: string, text: string): string =>
    `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(name)}, ${JSON.stringify(text)});\n`;

  test.each([
    ["its manifest", "package.json", '{ "scripts": { "test": "true" } }\n', manifest],
    ["configuration that was not there", ".npmrc", "script-shell=/bin/true\n", undefined],
  ])("%s, written by the code under test, judges nothing", async (_, name, text, before) => {
    const root = repository(files);
    const broken = `${writes(name, text)}process.exitCode = 1;\n`;

    const { outcome, calls, id } = await play({
      root,
      test: "npm test",
      pack: mathPack,
      coder: [a, b],
      answer: () => fileBlock("src/math.js", broken),
    });

    expect(outcome).toMatchObject({ outcome: "conflict", failure: { paths: [name] } });
    expect(calls).toHaveLength(1);
    const kept = join(root, ".kit/runs", id, "kept", name);
    expect(existsSync(kept) ? readFileSync(kept, "utf8") : undefined).toBe(before);
  });

  test("is not run when somebody changes it while a model thinks", async () => {
    const root = repository(files);

    const { outcome } = await play({
      root,
      test: "npm test",
      pack: mathPack,
      coder: [a],
      answer: () => {
        writeFileSync(join(root, "package.json"), '{ "scripts": { "test": "touch ran" } }\n');
        return fileBlock("src/math.js", fixedMath);
      },
    });

    expect(outcome).toMatchObject({ outcome: "conflict", failure: { paths: ["package.json"] } });
    expect(existsSync(join(root, "ran"))).toBe(false);
  });
});

describe("a user who works meanwhile", () => {
  test("and mends the fault while the model thinks gets no credit given to the model", async () => {
    const root = repository({ ...redRepository, "notes.txt": "one\n" });
    const { outcome, events } = await play({
      root,
      pack: { ...mathPack, relevantFiles: [{ path: "notes.txt" }] },
      coder: [a],
      answer: () => {
        writeFileSync(join(root, "src/math.js"), fixedMath);
        return fileBlock("notes.txt", "two\n");
      },
    });
    expect(outcome.outcome).toBe("success");
    expect(events.find((event) => event.type === "verdict")).toMatchObject({ evidence: "none" });
  });

  test("and goes on with a file they had begun to change gets no credit given to the model", async () => {
    const root = repository({
      "src/math.js": "export const add = (a, b) => a - b;\n",
      "state.txt": "broken\n",
      "check.sh": "grep -q mended state.txt\n",
    });
    writeFileSync(join(root, "state.txt"), "broken, begun\n");

    const { events } = await play({
      root,
      test: "sh check.sh",
      pack: mathPack,
      coder: [a],
      answer: () => {
        writeFileSync(join(root, "state.txt"), "mended\n");
        return fileBlock("src/math.js", fixedMath);
      },
    });

    const verdict = events.find(({ type }) => type === "verdict");
    expect(verdict).toMatchObject({ kind: "green", evidence: "none" });
  });

  test("and puts a file of their own in its place while the tests run is not told a success", async () => {
    const { outcome } = await play(
      withPack({
        files: {
          ...redRepository,
          "check.sh": "grep -q 'a + b' src/math.js && echo '// mine, a + b' > src/math.js\n",
        },
        coder: [a],
        answer: () => right,
      }),
    );
    expect(outcome.outcome).toBe("conflict");
  });
});

describe("a user's edit", () => {
  test("keeps an edit made while the model thinks, and the run ends as a conflict", async () => {
    const root = repository(redRepository);
    const { outcome } = await play(
      withPack({
        root,
        coder: [a, b],
        answer: () => {
          writeFileSync(join(root, "src/math.js"), "typed by the user\n");
          return right;
        },
      }),
    );
    expect(outcome).toMatchObject({ outcome: "conflict", failure: { kind: "conflict" } });
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toBe("typed by the user\n");
  });

  test("keeps an edit made while the tests run", async () => {
    const { outcome, root } = await play(
      withPack({
        files: {
          ...redRepository,
          "check.sh":
            "grep -q 'a - b' src/math.js && exit 1; echo '// typed' >> src/math.js; exit 1\n",
        },
        coder: [a],
        answer: () => right,
      }),
    );
    expect(outcome.outcome).toBe("conflict");
    expect(readFileSync(join(root, "src/math.js"), "utf8")).toContain("// typed");
  });

  test("who interrupts gets the tree back and exit 130", async () => {
    const controller = new AbortController();
    const root = repository(redRepository);
    const before = treeOf(root);
    const { outcome } = await play(
      withPack({
        root,
        coder: [a, b],
        signal: controller.signal,
        answer: () => {
          controller.abort();
          return failed({ kind: "interrupted", message: "interrupted" });
        },
      }),
    );
    expect(outcome.outcome).toBe("interrupted");
    expect(treeOf(root)).toEqual(before);
  });
});

test("a suite that is still running when the run is over is ended, not waited for", async () => {
  const { outcome, events } = await play({
    coder: [a],
    test: "sleep 30",
    limits: { baselineWaitMs: 1 },
    answer: () => "Sorry, I cannot.",
  });
  expect(outcome.outcome).toBe("no_pack");
  expect(events.at(-1)?.type).toBe("run_finished");
});

describe("a broken machine", () => {
  test("is said before a model is paid", async () => {
    const { outcome, calls } = await play(
      withPack({ test: "no-such-command-anywhere", coder: [a], answer: () => right }),
    );
    expect(outcome).toMatchObject({ outcome: "environment", failure: { kind: "environment" } });
    expect(calls).toEqual([]);
  });
});
