import type { CallResult, Failure } from "../../../src/contracts/index.ts";
import { candidate, fileBlock, fixedMath, mathPack, packText, type Scene } from "../support.ts";

const right = fileBlock("src/math.js", fixedMath);
const wrong = fileBlock("src/math.js", "export const add = (a, b) => a * b;\n");
const a = candidate("p1/a");
const b = candidate("p2/b");
const c = candidate("p3/c", { contextWindow: 90_000 });

function failed(failure: Failure): CallResult {
  return { ok: false, failure };
}

function edit(search: string, replace: string): string {
  return `=== EDIT: src/math.js ===\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n=== END ===\n`;
}

/** What a coder may say; the run ends green where one of them says the right thing. */
export const coderReplies: Readonly<Record<string, string | CallResult>> = {
  right,
  wrong,
  edits: edit("a - b", "a + b"),
  misfits: edit("a / b", "a + b"),
  prose: "I would change the sign.",
  nothing: fileBlock("src/math.js", "export const add = (a, b) => a - b;\n"),
  elsewhere: fileBlock("README.md", "# Read me\n"),
  "a new test": `${right}${fileBlock("tests/math.test.js", "// adds\n")}`,
  "the check": fileBlock("check.sh", "exit 0\n"),
  "needs more": "NEED: check.sh\n",
  "another sum": fileBlock("src/math.js", "export const add = (x, y) => x + y;\n"),
  spent: failed({ kind: "usage_limit", message: "spent", resetAt: "2999-01-01T00:00:00.000Z" }),
  "short limit": failed({ kind: "rate_limit", message: "slow down", retryAfterMs: 2_000 }),
  overloaded: failed({ kind: "overloaded", message: "529" }),
  "signed out": failed({ kind: "auth", message: "401" }),
  refused: failed({ kind: "refused", message: "policy" }),
  "too long": failed({ kind: "context_overflow", message: "too long" }),
  truncated: {
    ok: false,
    failure: { kind: "truncated_reply", message: "cut" },
    partialText: "=== ",
  },
  empty: failed({ kind: "empty_reply", message: "no text" }),
};

export const scoutReplies: Readonly<Record<string, string | CallResult>> = {
  "a pack": packText("src/math.js"),
  "a pack with more": packText("src/math.js", "check.sh"),
  "no pack": "Sorry, I cannot.",
  spent: failed({ kind: "usage_limit", message: "spent" }),
};

/** What varies from run to run. */
export interface Variation {
  readonly scout: readonly string[];
  readonly coder: readonly string[];
  readonly repairs: "last" | "progress" | "off";
  readonly givesPack: boolean;
  readonly keepFailed: boolean;
  readonly maxAttempts: number;
}

/** A run in which the models say these things, one after the other, the last one again and again. */
export function sceneOf(variation: Variation): Omit<Scene, "root"> {
  const said = { scout: 0, coder: 0 };
  const next = (role: "scout" | "coder"): string | CallResult => {
    const names = variation[role];
    const name = names[Math.min(said[role], names.length - 1)] ?? "";
    said[role] += 1;
    return (role === "scout" ? scoutReplies : coderReplies)[name] ?? "";
  };
  return {
    scout: [candidate("p0/scout"), candidate("p9/scout")],
    coder: [a, b, c],
    answer: ({ candidate: name }) => next(name.endsWith("scout") ? "scout" : "coder"),
    ...(variation.givesPack && { pack: mathPack }),
    limits: { maxAttempts: variation.maxAttempts },
    options: { repairs: variation.repairs, keepFailed: variation.keepFailed },
  };
}
