import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { noSandbox } from "../gate/sandbox/support.ts";
import { temporaryFolder, writeFiles } from "../support/repository.ts";
import { coderRule, crlfRepository, machine, scenario, task } from "./support.ts";

const right = coderRule("p1/first", "a + b");

/** A bubblewrap that refuses, as in most containers, in front of `PATH`. */
function refusing(path: string | undefined): { readonly env: { readonly PATH: string } } {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "bwrap"), "#!/bin/sh\necho 'bwrap: no user namespaces' >&2\nexit 1\n");
  chmodSync(join(folder, "bwrap"), 0o755);
  return { env: { PATH: `${folder}:${path ?? ""}` } };
}

describe("a machine whose bubblewrap refuses", () => {
  test("ends a run that asks for the sandbox with exit 5, before any model is asked", async () => {
    const { kit, quick, env, server } = await machine({ scenario: scenario([right]) });

    const { code, stderr } = await kit(
      ["run", task, ...quick, "--sandbox", "on"],
      refusing(env["PATH"]),
    );

    expect(code).toBe(5);
    expect(stderr).toContain("no user namespaces");
    expect(stderr).toContain("--sandbox off");
    expect(server.requests).toEqual([]);
  });

  test("runs the tests all the same with auto, and says so once", async () => {
    const { kit, quick, env } = await machine({ scenario: scenario([right]) });

    const { code, stderr } = await kit(["run", task, ...quick], refusing(env["PATH"]));

    expect(code).toBe(0);
    expect(stderr.split("run without a sandbox").length).toBe(2);
  });
});

describe.skipIf(noSandbox !== undefined)("a run in the sandbox", () => {
  test("is green for a right change, and its tests reach nothing of the user's", async () => {
    const check = `import { readFileSync, writeFileSync } from "node:fs";
import { add } from "./src/math.js";
import net from "node:net";
const home = process.env.HOME;
const tried = [
  () => readFileSync(home + "/.ssh/id_ed25519"),
  () => readFileSync(home + "/.pi/agent/auth.json"),
  () => writeFileSync(home + "/planted", "x"),
  () => writeFileSync(".git/hooks/pre-commit", "x"),
  () => writeFileSync(".kit/kit.yaml", "x"),
].map((attempt) => { try { attempt(); return "done"; } catch (error) { return error.code; } });
const port = Number(readFileSync("port.txt", "utf8"));
const socket = await new Promise((resolve) => net.connect(port, "127.0.0.1")
  .on("connect", () => resolve("connected")).on("error", (error) => resolve(error.code)));
console.log("tried " + [...tried, socket].join(" "));
process.exit(add(2, 3) === 5 ? 0 : 1);
`;
    const { root, home, run, quick, server } = await machine({
      files: { ...crlfRepository, "check.mjs": check },
      scenario: scenario([right]),
    });
    writeFileSync(join(root, "port.txt"), new URL(server.url).port);
    writeFiles(home, { ".ssh/id_ed25519": "key\n", ".pi/agent/auth.json": "{}\n" });

    const { code, receipt } = await run([...quick.slice(0, 2), "--test", "node check.mjs"]);

    expect(code).toBe(0);
    const log = readFileSync(join(receipt.runDir, "baseline-1.log"), "utf8");
    expect(log).toBe("tried ENOENT ENOENT EROFS EROFS EROFS ECONNREFUSED\n");
  });

  test("stops before a model is asked where the tests need the network, and names the setting", async () => {
    const { kit, quick, server } = await machine({ scenario: scenario([right]) });
    const line = 'node -e \'require("net").connect(80, "192.0.2.1")\'';

    const { code, stderr } = await kit(["run", task, ...quick.slice(0, 2), "--test", line]);

    expect(code).toBe(5);
    expect(stderr).toContain("the sandbox closes the network");
    expect(stderr).toContain("gate.network: true");
    expect(server.requests).toEqual([]);
  });
});
