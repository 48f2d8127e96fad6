import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { coderRule, grepTest, machine, scenario, scoutRule } from "./support.ts";

test("kit init and kit doctor on a machine with pi and a model server end with a run that works", async () => {
  const { home, kit, run } = await machine({
    scenario: scenario(
      [scoutRule, coderRule("p1/first", "a + b")],
      ["p0/scout", "p1/first"],
    ).replace(
      "p0/scout: { price: { input: 1, output: 2 } }",
      "p0/scout: { price: { input: 0.2, output: 0.5 } }",
    ),
  });
  for (const name of ["models.local.yaml", "routing.local.yaml"]) rmSync(join(home, "kit", name));

  const init = await kit(["init", "--yes", "--no-endpoint"]);
  const doctor = await kit(["doctor"]);
  const { code, receipt } = await run(["--test", grepTest]);

  expect(init).toMatchObject({ code: 0, stderr: "" });
  expect(doctor).toMatchObject({ code: 0, stderr: "" });
  expect(doctor.stdout).toContain("Nothing speaks against a run");
  expect({ code, outcome: receipt.outcome }).toEqual({ code: 0, outcome: "success" });
});
