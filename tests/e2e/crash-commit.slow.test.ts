import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { git } from "../support/repository.ts";
import { crashHook, spread } from "./crash.ts";
import { coderRule, fixedMath, type Machine, machine, scenario, task } from "./support.ts";

async function machineWithAuthor(): Promise<Machine> {
  const played = await machine({ scenario: scenario([coderRule("p1/first", "a + b")]) });
  git(played.root, "config", "user.name", "Ada");
  git(played.root, "config", "user.email", "ada@example.org");
  return played;
}

test.each([
  ["--commit", "HEAD"],
  ["--branch=fix/sum", "fix/sum"],
])(
  "a run with %s that is killed around its commit makes it once, the index clean",
  async (flag, ref) => {
    const first = await machineWithAuthor();
    const countFile = join(first.home, "effects");
    const runOf = ({ quick }: Machine): string[] => ["run", `--task=${task}`, ...quick, flag];
    await first.kit(runOf(first), { imports: [crashHook], env: { KILL_COUNT: countFile } });
    const effects = Number(readFileSync(countFile, "utf8"));
    for (const at of spread(effects - 46, effects - 22, 9)) {
      const played = await machineWithAuthor();
      const { kit, root, server } = played;
      await kit(runOf(played), { imports: [crashHook], env: { KILL_AT: String(at) } });
      await kit(["resume"]);
      const made = {
        at,
        commits: git(root, "rev-list", "--count", ref).trim(),
        status: git(root, "status", "--porcelain"),
        content: git(root, "cat-file", "blob", `${ref}:src/math.js`),
        asked: server.requests.length,
      };
      expect(made).toEqual({ at, commits: "2", status: "", content: fixedMath, asked: 1 });
      expect(JSON.parse((await kit(["show", "--json"])).stdout)).toMatchObject({
        outcome: "success",
        landed: { commit: git(root, "rev-parse", ref).trim() },
      });
    }
  },
);
