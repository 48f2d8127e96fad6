import { describe, expect, test } from "vitest";
import { repositoryRows } from "./repositories/index.ts";
import { judgeRow, missingFor } from "./repositories/judged.ts";
import { mutatedRows } from "./repositories/mutations.ts";
import type { RepositoryRow } from "./repositories/row.ts";

/** Rows whose toolchain is there; what is left out is said. */
function onThisMachine(
  rows: readonly RepositoryRow[],
): readonly (readonly [string, RepositoryRow])[] {
  const missing = new Map(rows.map((row) => [row.needs, missingFor(row)]));
  for (const reason of new Set(missing.values())) {
    if (reason !== undefined) process.stderr.write(`small repositories left out: ${reason}\n`);
  }
  return rows.filter(({ needs }) => missing.get(needs) === undefined).map((row) => [row.name, row]);
}

describe("a small repository and a change to it", () => {
  test.each(onThisMachine(repositoryRows))("%s", async (_, row) => {
    const judged = await judgeRow(row);

    expect(judged).toMatchObject({ verdict: row.verdict });
    if (row.evidence !== undefined) expect(judged.evidence).toBe(row.evidence);
    const isAccepted = row.verdict === "fixed" || row.verdict === "green";
    expect(judged.outcome === "success").toBe(isAccepted);
    expect(judged.isRestored).toBe(!isAccepted);
    // Nobody is blamed for a flake, and nobody else is asked.
    if (row.verdict === "flaky") expect(judged).toMatchObject({ outcome: "stopped", asked: 1 });
  });
});

describe("a good change made dishonest", () => {
  const mutated = mutatedRows(repositoryRows);

  test.each(onThisMachine(mutated))("%s", async (_, row) => {
    const judged = await judgeRow(row);

    expect(judged.outcome).not.toBe("success");
    expect(judged.isRestored).toBe(true);
  });

  test("comes in more than twenty copies", () => {
    expect(mutated.length).toBeGreaterThan(20);
  });
});
