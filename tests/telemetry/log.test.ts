import { describe, expect, it } from "vitest";
import { openLog } from "../../src/telemetry/index.ts";
import { recorded } from "../runs/support.ts";

describe("the log of a run", () => {
  it("is one JSON line an event, failures and warnings as such, and nothing below its level", async () => {
    const lines: string[] = [];
    const log = await openLog("info", (line) => lines.push(line));

    recorded([
      { type: "process_started", process: "1", label: "git" },
      { type: "note", level: "warning", message: "careful" },
      {
        type: "attempt_finished",
        step: "coder",
        attempt: 1,
        ok: false,
        failure: { kind: "auth", message: "signed out" },
        durationMs: 1,
      },
      { type: "run_finished", outcome: "success", exitCode: 0, changedFiles: [] },
    ]).forEach(log);

    const read = lines.map((line) => JSON.parse(line) as { level: number; msg: string });
    expect(read.map(({ level, msg }) => [level, msg])).toEqual([
      [40, "note"],
      [40, "attempt_finished"],
      [30, "run_finished"],
    ]);
    expect(read[1]).toMatchObject({ event: { failure: { kind: "auth" }, step: "coder" } });
    expect(lines.every((line) => line.endsWith("\n"))).toBe(true);
  });
});
