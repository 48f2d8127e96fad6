import { describe, expect, test } from "vitest";
import { repositoryRows } from "./repositories/index.ts";
import { judgeRow } from "./repositories/judged.ts";

const quick = repositoryRows.filter(({ isQuick }) => isQuick);

describe("the quick ones among the small repositories", () => {
  test.each(quick.map((row) => [row.name, row] as const))("%s", async (_, row) => {
    const judged = await judgeRow(row);

    expect(judged).toMatchObject({ verdict: row.verdict });
    if (row.evidence !== undefined) expect(judged.evidence).toBe(row.evidence);
    const isAccepted = row.verdict === "fixed" || row.verdict === "green";
    expect(judged.outcome === "success").toBe(isAccepted);
    expect(judged.isRestored).toBe(!isAccepted);
  });

  test("are twelve, of more than sixty, each with a name of its own", () => {
    expect(quick).toHaveLength(12);
    expect(repositoryRows.length).toBeGreaterThan(60);
    expect(new Set(repositoryRows.map(({ name }) => name)).size).toBe(repositoryRows.length);
  });
});
