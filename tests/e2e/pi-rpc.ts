import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";

export type Json = Readonly<Record<string, unknown>>;

/** A pi that is asked over RPC, as an editor would. */
export interface RpcPi {
  readonly pid: number;
  /** Everything it has said, in order. */
  readonly said: readonly Json[];
  send(command: Json): void;
  /** The first record that holds, said already or yet to come. @throws Error when pi ends before */
  saying(what: (record: Json) => boolean): Promise<Json>;
  /** Closes its input and gives its exit code. */
  close(): Promise<number | null>;
}

export function startRpcPi(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string> },
): RpcPi {
  const child = spawn(program, ["--mode", "rpc", "--no-session", "--offline", ...args], {
    ...options,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const said: Json[] = [];
  const watchers = new Set<() => void>();
  let stderr = "";
  let unfinished = "";
  let exitCode: number | null | undefined;
  const wake = (): void => {
    for (const watcher of watchers) watcher();
  };
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = `${unfinished}${text}`.split("\n");
    unfinished = lines.pop() ?? "";
    said.push(...lines.map((line) => JSON.parse(line) as Json));
    wake();
  });
  child.stdin.on("error", () => undefined);
  const closed = new Promise<number | null>((settle) => {
    child.once("close", (code) => {
      exitCode = code;
      wake();
      settle(code);
    });
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return {
    pid: child.pid ?? 0,
    said,
    send: (command) => void child.stdin.write(`${JSON.stringify(command)}\n`),
    saying: (what) =>
      new Promise((settle, reject) => {
        const look = (): void => {
          const found = said.find(what);
          if (found === undefined && exitCode === undefined) return;
          watchers.delete(look);
          if (found) settle(found);
          else reject(new Error(`pi ended with ${exitCode}: ${stderr}`));
        };
        watchers.add(look);
        look();
      }),
    close: () => {
      child.stdin.end();
      return closed;
    },
  };
}
