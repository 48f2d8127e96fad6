import { describe, expect, test } from "vitest";
import { judgeEnvironment, sandboxHints } from "../../../src/gate/index.ts";
import { denialOf, denials } from "../../../src/gate/sandbox/denials.ts";
import { result } from "../support.ts";

const confined = { network: false };

describe("what the sandbox refuses", () => {
  test.each(denials.map((row) => [row.evidence, row] as const))("is read from: %s", (_, row) => {
    const red = result({ code: 1, output: `${row.evidence}\n`, sandbox: confined });

    expect(denialOf(red)).toMatchObject({ cause: row.cause });
    expect(sandboxHints([red])[0]).toContain(row.mend);
  });

  test("is nobody's word where no sandbox was, or the network is open, or all is green", () => {
    const output = "Error: connect ENETUNREACH 192.0.2.1:443\n";

    expect(sandboxHints([result({ code: 1, output })])).toEqual([]);
    expect(sandboxHints([result({ code: 1, output, sandbox: { network: true } })])).toEqual([]);
    expect(sandboxHints([result({ code: 0, output, sandbox: confined })])).toEqual([]);
  });

  test("is the environment's fault when no test passed, with what allows it", async () => {
    const output = "OSError: [Errno 30] Read-only file system: '/root/.cache/x'\n";
    const fault = await judgeEnvironment([result({ code: 1, output, sandbox: confined })], "/repo");

    expect(fault).toMatchObject({
      cause: expect.stringContaining("the sandbox lets tests write"),
      mend: expect.stringContaining("gate.writable"),
    });
  });

  test("is no fault of the environment where the code can print the same for its own reasons", async () => {
    const output = "Error: connect ECONNREFUSED 127.0.0.1:5432\n";

    expect(
      await judgeEnvironment([result({ code: 1, output, sandbox: confined })], "/repo"),
    ).toBeUndefined();
  });
});
