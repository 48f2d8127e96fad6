import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { pathExists } from "../../lib/files.ts";
import { runToFile } from "../../lib/processes/index.ts";
import { isWithin } from "./mounts.ts";
import { openSandbox } from "./open-sandbox.ts";

/** What a confined program could do that it must not; none: the sandbox holds. */
export type SandboxTrial =
  | { readonly ran: true; readonly escapes: readonly string[] }
  | { readonly ran: false; readonly reason: string };

export interface TrialRequest {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The repository that kit was asked about: no program of it takes part. */
  readonly root: string;
  /** Absolute folder of kit's own, outside of the places that a sandbox empties. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Node starts in 40 ms; on a machine at its limit in seconds. */
const trialMs = 20_000;

/** Runs inside. It reports what it got done; a file outside counts where it is there outside. */
const program = `
const { readFileSync, writeFileSync } = require("node:fs");
const [, inside, outside, secret, port] = process.argv;
const done = [];
const attempt = (name, effect) => { try { effect(); done.push(name); } catch {} };
attempt("wrote inside", () => writeFileSync(inside, "x"));
attempt("wrote what is gone", () => writeFileSync(outside, "x"));
attempt("read a private key in ~/.ssh", () => { if (!/PLANTED/.test(readFileSync(secret, "utf8"))) throw 0; });
const end = () => { console.log("done:" + JSON.stringify(done)); process.exit(0); };
const socket = require("node:net").connect(Number(port), "127.0.0.1", () => { done.push("reached a server of this machine"); end(); });
socket.on("error", end);
setTimeout(end, 5000);
`;

/**
 * Tries a sandbox out on a repository and a home made for it: writing outside, reading a planted
 * secret and reaching a server of this machine must all fail, writing inside must work.
 */
export async function trySandbox(request: TrialRequest): Promise<SandboxTrial> {
  const { env, root, signal } = request;
  await mkdir(request.folder, { recursive: true, mode: 0o700 });
  const place = await mkdtemp(join(request.folder, "trial-"));
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const [repository, home] = [join(place, "repository"), join(place, "home")];
  try {
    await mkdir(repository);
    await mkdir(join(home, ".ssh"), { recursive: true, mode: 0o700 });
    const secret = join(home, ".ssh", "id_ed25519");
    await writeFile(secret, "PLANTED\n", { mode: 0o600 });
    const outside = join(place, "outside.txt");
    const outputFile = join(place, "output.txt");
    const sandbox = await openSandbox({
      mode: "auto",
      root: repository,
      environment: { ...env, HOME: home, PATH: pathWithout(root, env["PATH"]) },
      network: false,
      writable: [],
      hookFolders: [],
    });
    if (!sandbox.confined) return { ran: false, reason: sandbox.reason };
    try {
      const port = String((server.address() as AddressInfo).port);
      const inside = join(repository, "inside.txt");
      const { ended } = await runToFile({
        command: { argv: [process.execPath, "-e", program, inside, outside, secret, port] },
        cwd: repository,
        env: sandbox.environment({ PATH: "/usr/bin:/bin", HOME: home }),
        outputFile,
        maxOutputBytes: 65_536,
        timeoutMs: trialMs,
        signal,
        label: "sandbox",
        through: sandbox.through(repository, []),
      });
      const output = await readFile(outputFile, "utf8").catch(() => "");
      const done = readDone(output);
      if (done === undefined || !done.includes("wrote inside")) {
        const said = output.trim().split("\n")[0]?.slice(0, 200) ?? "";
        return { ran: false, reason: `a confined program did not run (${ended.by}): ${said}` };
      }
      const told = done.filter((each) => !each.startsWith("wrote"));
      const escaped = await pathExists(outside);
      return {
        ran: true,
        escapes: [...told, ...(escaped ? ["wrote outside of the repository"] : [])],
      };
    } finally {
      await sandbox.close();
    }
  } finally {
    server.close();
    await rm(place, { recursive: true, force: true });
  }
}

function readDone(output: string): readonly string[] | undefined {
  const line = /^done:(\[.*\])$/m.exec(output)?.[1];
  return line === undefined ? undefined : (JSON.parse(line) as string[]);
}

/** Folders of the repository on PATH name programs of the repository. */
function pathWithout(root: string, path = ""): string {
  const folders = path.split(delimiter);
  const kept = folders.filter((each) => isAbsolute(each) && !isWithin(each, root));
  // What stands on PATH stays readable where it lies in an emptied place: the Node of the trial.
  return [dirname(process.execPath), ...kept].join(delimiter);
}
