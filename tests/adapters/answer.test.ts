import { expect, test } from "vitest";
import { endedAfterAnswer } from "../../src/adapters/answer.ts";
import type { ProcessResult } from "../../src/lib/processes/index.ts";

const endings: readonly (readonly [ended: ProcessResult["ended"], counts: boolean])[] = [
  [{ by: "exit", code: 0 }, true],
  [{ by: "deadline" }, true],
  [{ by: "idle" }, true],
  [{ by: "abort" }, true],
  [{ by: "exit", code: 1 }, false],
  [{ by: "signal", signal: "SIGKILL" }, false],
  [{ by: "overflow" }, false],
];

test.each(endings)(
  "an answer that was complete, its program ended so: %j, counts: %s",
  (ended, counts) => {
    expect(endedAfterAnswer({ ended })).toBe(counts);
  },
);
