import type { IncomingMessage } from "node:http";
import { isLoopback } from "../../lib/hosts.ts";
import type { Environment } from "../program.ts";

/** One HTTP request, its limits, and who reads its answer. */
export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Where proxies are named; for loopback addresses none is used. */
  readonly env: Environment;
  readonly timeoutMs: number;
  /** No byte of an answer for this long ends it. */
  readonly idleTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onHead: (head: HttpHead) => void;
  /** False: enough, the rest is not wanted. */
  readonly onBytes: (chunk: Buffer) => boolean;
}

export interface HttpHead {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
}

/** How a request ended; `end` alone means that the server sent all it meant to send. */
export type HttpEnding =
  | { readonly by: "end" | "enough" | "deadline" | "idle" | "abort" }
  | { readonly by: "error"; readonly code: string; readonly message: string };

/** Node fires longer timers at once. */
const longestTimerMs = 2_147_483_647;

/**
 * Makes one request on a connection of its own, which is closed when this returns. Redirects are
 * not followed: a key belongs to the origin it was named for. Never rejects.
 */
export async function sendHttp(request: HttpRequest): Promise<HttpEnding> {
  const secure = request.url.protocol === "https:";
  // Loaded here: Node's modules for HTTP take longer than the rest of kit's start.
  const { Agent, request: send } = await (secure ? import("node:https") : import("node:http"));
  if (request.signal?.aborted === true) return { by: "abort" };
  return new Promise((resolve) => {
    const proxies = isLoopback(request.url.hostname) ? {} : { proxyEnv: proxiesOf(request.env) };
    const agent = new Agent(proxies);
    const sent = send(request.url, {
      method: request.method,
      headers: {
        ...request.headers,
        "accept-encoding": "identity",
        ...(request.body !== undefined && { "content-length": Buffer.byteLength(request.body) }),
      },
      agent,
    });
    const onAbort = (): void => finish({ by: "abort" });
    const deadline = setTimeout(
      () => finish({ by: "deadline" }),
      Math.min(request.timeoutMs, longestTimerMs),
    );
    const idle = setTimeout(
      () => finish({ by: "idle" }),
      Math.min(request.idleTimeoutMs, longestTimerMs),
    );
    let ended = false;
    const finish = (ending: HttpEnding): void => {
      if (ended) return;
      ended = true;
      clearTimeout(deadline);
      clearTimeout(idle);
      request.signal?.removeEventListener("abort", onAbort);
      sent.destroy();
      agent.destroy();
      resolve(ending);
    };
    const fail = (error: NodeJS.ErrnoException): void =>
      finish({ by: "error", code: error.code ?? "UNKNOWN", message: textOf(error) });
    request.signal?.addEventListener("abort", onAbort, { once: true });
    sent.on("error", fail);
    sent.on("response", (response) => {
      idle.refresh();
      request.onHead({ status: response.statusCode ?? 0, headers: response.headers });
      response.on("error", fail);
      response.on("data", (chunk: Buffer) => {
        if (ended) return;
        idle.refresh();
        if (!request.onBytes(chunk)) finish({ by: "enough" });
      });
      response.on("close", () => {
        if (response.complete) finish({ by: "end" });
        else fail(new Error("the connection was closed in the middle of the answer"));
      });
    });
    sent.end(request.body);
  });
}

/** Trying every address of a name fails with all their errors together, and no text of its own. */
function textOf(error: Error): string {
  if (error.message !== "" || !(error instanceof AggregateError)) return error.message;
  return error.errors.map((each: unknown) => (each as Error).message).join(", ");
}

/** As Node's `proxyEnv` takes them (from Node 24.5; an older one uses no proxy). */
function proxiesOf(env: Environment): Record<string, string | undefined> {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
