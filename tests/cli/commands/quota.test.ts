import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documentSchemas } from "../../../src/cli/schemas/index.ts";
import { ledgerFile, openLedger } from "../../../src/routing/index.ts";
import { repository, temporaryFolder } from "../../support/repository.ts";
import { callTo, candidateOf, failed, good } from "../../routing/quota/support.ts";
import { runKit } from "../support.ts";

const resetAt = "2999-01-01T00:00:00.000Z";

/** A user whose account `acme` is spent, with two backends bound to it and one to another. */
async function user() {
  const state = temporaryFolder();
  const config = temporaryFolder();
  const root = repository({ "add.js": "export const add = (a, b) => a - b;\n" });
  const binding = (provider: string, model: string): object => ({ provider, model });
  writeFileSync(
    join(config, "models.local.yaml"),
    JSON.stringify({
      version: 1,
      backends: {
        cheap: binding("other", "small"),
        strong: binding("acme", "large"),
        deep: binding("acme", "huge"),
      },
    }),
  );
  const ledger = await openLedger({ folder: state, now: Date.now, onTrouble: String });
  callTo(ledger, candidateOf("acme/large"), good({ input: 1_200, output: 34 }, 0.5));
  callTo(ledger, candidateOf("acme/large"), failed({ kind: "usage_limit", message: "", resetAt }));
  ledger.close();
  const env = { ...process.env, KIT_STATE_DIR: state, KIT_CONFIG_DIR: config };
  return { state, env, kit: (...argv: string[]) => runKit(argv, { env, cwd: root }) };
}

test("kit quota shows limits with their resets, accounts and what was spent", async () => {
  const { kit } = await user();
  const { stdout, exitCode } = await kit("quota");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /pool +acme +usage_limit +until 2999-01-01T00:00:00Z +\(the provider says so\)/,
  );
  expect(stdout).toMatch(
    /acme\/large +2 calls +1200 → 34 tokens \+ 1 call unknown +at least \$0\.5/,
  );
  const { stdout: json } = await kit("quota", "--json");
  const document: unknown = JSON.parse(json);
  expect(documentSchemas.quota.safeParse(document).success).toBe(true);
  expect(document).toMatchObject({ limits: [{ name: "acme", until: resetAt, told: true }] });
});

test("a damaged ledger is said with the command that removes it", async () => {
  const { kit, state } = await user();
  for (const end of ["-wal", "-shm"]) rmSync(`${ledgerFile(state)}${end}`, { force: true });
  writeFileSync(ledgerFile(state), "no database");

  expect((await kit("quota")).stderr).toMatch(/ next: forget it: kit quota clear\n$/);
  expect((await kit("quota", "clear")).exitCode).toBe(0);
  expect((await kit("quota")).stderr).toBe("");
});

test("kit route and the dry run say which candidates a run would leave, and until when", async () => {
  const { kit } = await user();
  const route = await kit("route", "strong-code");
  expect(route.stdout).toContain("quota pool acme is spent until 2999-01-01T00:00:00Z");
  const { stdout } = await kit("run", "--dry-run", "Mend add", "--test", "true", "--json");
  const document = JSON.parse(stdout) as Record<string, never>;
  expect(documentSchemas["run-dry-run"].safeParse(document).error).toBeUndefined();
  const { coder } = document["routes"] as unknown as { coder: { candidates: unknown[] } };
  expect(coder.candidates).toMatchObject([
    { backend: "strong", cooling: { pool: "acme", until: resetAt } },
    { backend: "deep", cooling: { pool: "acme" } },
    { backend: "cheap" },
  ]);
});

test("a run whose accounts are all spent ends at once with 3, and says until when", async () => {
  const { kit } = await user();
  const { exitCode, stderr } = await kit(
    "run",
    "Mend add",
    "--test",
    "true",
    "--capability",
    "deep-review",
  );
  expect(exitCode).toBe(3);
  expect(stderr).toContain("acme/huge): quota pool acme is spent until 2999-01-01T00:00:00Z");
  expect(stderr).toContain("kit run --wait");
});

test("kit quota clear forgets one account's limit, and makes no ledger of a damaged one", async () => {
  const { kit, state } = await user();
  expect((await kit("quota", "clear", "other")).stdout).toBe("Forgotten of other: 0 limits\n");
  const cleared = JSON.parse((await kit("quota", "clear", "acme", "--json")).stdout) as unknown;
  expect(cleared).toMatchObject({ pool: "acme", forgotten: 1, discarded: false });
  expect((await kit("quota")).stdout).toContain("none known");
  writeFileSync(ledgerFile(state), "damaged ".repeat(1_000));
  const looked = await kit("quota");
  expect(looked.stderr).toContain("cannot be read");
  expect((await kit("quota", "clear")).stdout).toBe("The damaged ledger was removed.\n");
});

test("looking makes no ledger", async () => {
  const state = join(temporaryFolder(), "state");
  const { exitCode, stdout } = await runKit(["quota"], {
    env: { ...process.env, KIT_STATE_DIR: state },
  });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "limits\n  none known\n" });
  expect(existsSync(state)).toBe(false);
});

test("a budget in dollars needs somebody with a price", async () => {
  const { kit } = await user();
  const { exitCode, stderr } = await kit(
    "run",
    "Mend add",
    "--test",
    "true",
    "--budget-usd",
    "0.50",
  );
  expect(exitCode).toBe(2);
  expect(stderr).toContain("--budget-usd cannot hold this run");
  expect(stderr).toContain("--budget-tokens");
});
