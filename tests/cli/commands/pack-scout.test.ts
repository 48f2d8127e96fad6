import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documentSchemas } from "../../../src/cli/schemas/index.ts";
import { machine, packText, scenario, scoutRule, scoutWith } from "../../e2e/support.ts";

test("kit pack scout writes a pack, says what it cost, and leaves no record", async () => {
  const { root, kit, server } = await machine({ scenario: scenario([scoutRule]) });

  const { code, stdout, stderr } = await kit([
    "pack",
    "scout",
    "add(2, 3) must be 5",
    "--out",
    "p.md",
  ]);

  expect(code).toBe(0);
  expect(stdout).toMatch(/p\.md\nnext: kit run --pack p\.md\n$/);
  expect(stderr).toMatch(/A pack of about \d+ tokens, [\d,]+ with its files \(1 call, /);
  expect(readFileSync(join(root, "p.md"), "utf8")).toContain(
    "- `src/math.js` — part of the change",
  );
  expect(existsSync(join(root, ".kit"))).toBe(false);
  expect(server.requests).toHaveLength(1);
});

test("kit pack scout gives a document, also where no pack comes of it", async () => {
  const { root, kit, server } = await machine({
    scenario: scenario([scoutWith(packText(["src/nowhere.js"]))]),
  });
  writeFileSync(join(root, "taken.md"), "mine\n");

  const { code, stdout } = await kit(["pack", "scout", "--task", "add adds", "--json"]);
  const before = server.requests.length;
  const taken = await kit(["pack", "scout", "--task", "add adds", "--out", "taken.md"]);

  const document = JSON.parse(stdout) as unknown;
  expect(documentSchemas["pack-scout"].safeParse(document).error).toBeUndefined();
  expect({ code, document }).toMatchObject({
    code: 1,
    document: { ok: false, pack: null, calls: 1 },
  });
  expect(taken).toMatchObject({ code: 2 });
  expect(server.requests).toHaveLength(before);
  expect(readFileSync(join(root, "taken.md"), "utf8")).toBe("mine\n");
});
