import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/repository.ts";

const root = join(import.meta.dirname, "..", "..");
const kit = join(root, "bin", "kit.cjs");

/** Starts kit waiting for the rest of its stdin; resolves once it reads there. */
async function waitingForStdin(...args: readonly string[]) {
  const child = spawn(process.execPath, [kit, ...args], { cwd: temporaryFolder() });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (part: Buffer) => (stdout += part.toString()));
  child.stderr.on("data", (part: Buffer) => (stderr += part.toString()));
  child.stdin.on("error", () => undefined);
  // More than a pipe holds: this returns when the child has begun to read.
  await new Promise((resolve) => child.stdin.write("x".repeat(1 << 20), resolve));
  return {
    child,
    async end() {
      const [code, signal] = (await once(child, "close")) as [number | null, string | null];
      return { code, signal, stdout, stderr };
    },
  };
}

describe.skipIf(!existsSync(join(root, "dist")))("kit as a process (npm run build)", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "%s ends it with 130 and a word, whatever it waits for",
    async (signal) => {
      const { child, end } = await waitingForStdin("pack", "check", "-");

      child.kill(signal);

      expect(await end()).toEqual({
        code: 130,
        signal: null,
        stdout: "",
        stderr: "kit: Interrupted.\n",
      });
    },
  );

  test("with --json an interrupt is a document too", async () => {
    const { child, end } = await waitingForStdin("pack", "check", "-", "--json");

    child.kill("SIGINT");

    const { code, stdout, stderr } = await end();
    expect({ code, stderr }).toEqual({ code: 130, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ error: { kind: "interrupted" } });
  });

  test.skipIf(!existsSync("/dev/full")).each([[["runs", "--json"]], [["runs"]], [["--help"]]])(
    "a full disk behind stdout is no success: kit %j ends with 5 and says so",
    (argv) => {
      const full = openSync("/dev/full", "w");
      const { status, stderr } = spawnSync(process.execPath, [kit, ...argv], {
        cwd: temporaryFolder(),
        stdio: ["ignore", full, "pipe"],
        encoding: "utf8",
      });
      closeSync(full);

      expect(status).toBe(5);
      expect(stderr).toContain(
        "kit: stdout could not be written: the disk is full (ENOSPC).\nnext: ",
      );
    },
  );

  test("a closed stdout ends nothing that is under way", async () => {
    const { child, end } = await waitingForStdin("pack", "check", "-", "--json");

    child.stdout.destroy();
    child.stdin.end();

    expect(await end()).toMatchObject({ code: 1, stderr: "" });
  });
});
