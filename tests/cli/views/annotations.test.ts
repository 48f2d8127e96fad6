import { describe, expect, it } from "vitest";
import {
  annotationLines,
  resumeCommands,
  stopCommands,
} from "../../../src/cli/views/annotations.ts";
import type { Event } from "../../../src/contracts/index.ts";
import { type Receipt, receiptOf } from "../../../src/runs/index.ts";
import { escalatedRun, recorded } from "../../runs/support.ts";

function receipt(events: readonly Event[]): Receipt {
  return receiptOf(recorded(events), "/repo/.kit/runs/x");
}

const withoutEnd = escalatedRun.slice(0, -1);

describe("annotations", () => {
  it("notice a success, with what was shown and changed", () => {
    expect(annotationLines(receipt(escalatedRun))).toEqual([
      "::notice title=kit::success: the red test is green (add.js)",
    ]);
  });

  it("are errors where the run failed, with the next step", () => {
    const end: Event = {
      type: "run_finished",
      outcome: "environment",
      exitCode: 5,
      changedFiles: [],
      error: { kind: "environment", message: "npm is missing", next: "install Node" },
    };
    expect(annotationLines(receipt([...withoutEnd, end]))).toEqual([
      "::error title=kit::environment: npm is missing: install Node",
    ]);
  });

  it("put a reviewer's findings at their lines, and escape what would be a command of its own", () => {
    const lines = annotationLines(
      receipt([
        ...withoutEnd,
        {
          type: "review_finding",
          attempt: 2,
          severity: "minor",
          file: "a,b:c.js",
          line: 3,
          text: "100%\n::set-env name=X::y",
        },
        { type: "reviewed", attempt: 2, asked: 1, answered: [], passed: false },
        ...escalatedRun.slice(-1),
      ]),
    );
    expect(lines).toContain(
      "::warning title=kit,file=a%2Cb%3Ac.js,line=3::100%25%0A::set-env name=X::y",
    );
    expect(lines).toContain("::warning title=kit::no reviewer answered");
    expect(lines.every((line) => !line.includes("\n"))).toBe(true);
  });

  it("stand between commands that are stopped and resumed by one token", () => {
    expect([stopCommands("t"), resumeCommands("t")]).toEqual(["::stop-commands::t", "::t::"]);
  });
});
