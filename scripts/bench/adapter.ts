import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPiAdapter } from "../../src/adapters/index.ts";
import type { BenchRow } from "./row.ts";

interface Measured {
  readonly peakMb: number;
  readonly seconds: number;
}

const here = fileURLToPath(import.meta.url);

/** A pi that prints 1 GB of updates, each repeating the message so far as pi 0.73 does. */
const chattyPi = `
  import { writeSync } from "node:fs";
  if (process.argv[2] === "--version") {
    console.log("0.73.1");
    process.exit();
  }
  const whole = "x".repeat(32_000);
  const update = { type: "text_delta", contentIndex: 0, delta: "0123456789abcdef", partial: whole };
  const line = JSON.stringify({ type: "message_update", assistantMessageEvent: update, message: whole }) + "\\n";
  for (let printed = 0; printed < 1024 ** 3; printed += line.length) await new Promise((done) => process.stdout.write(line, done));
  const message = { role: "assistant", content: [{ type: "text", text: "done" }], provider: "p", model: "m", stopReason: "stop" };
  console.log(JSON.stringify({ type: "message_end", message }));
  console.log('{"type":"agent_end","messages":[]}');
`;

/**
 * kit's own peak memory while pi prints 1 GB, in a process of its own. Bundled as kit is: taking
 * types off at run time alone costs 70 MB.
 */
export async function benchAdapter(): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "kit-bench-"));
  try {
    writeFileSync(join(folder, "pi.mjs"), chattyPi);
    const { rolldown } = await import("rolldown");
    const bundle = await rolldown({ input: here, platform: "node", external: ["rolldown"] });
    const program = join(folder, "bench.mjs");
    await bundle.write({ file: program, format: "esm" });
    await bundle.close();
    const printed = execFileSync(process.execPath, [program, folder], { encoding: "utf8" });
    const { peakMb, seconds } = JSON.parse(printed) as Measured;
    return [
      {
        name: "peak memory while pi prints 1 GB",
        value: peakMb,
        unit: "MB",
        limit: 150,
        beside: `read in ${seconds} s`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs in the process that is measured. */
async function measure(folder: string): Promise<Measured> {
  const adapter = createPiAdapter({
    program: join(folder, "pi.mjs"),
    env: { PATH: process.env.PATH, HOME: folder },
  });
  await adapter.check();
  const startedAt = performance.now();
  const result = await adapter.call({
    candidate: {
      backend: "bench",
      identity: "bench",
      degraded: [],
      binding: {
        adapter: "pi",
        provider: "p",
        model: "m",
        quotaPool: "p",
        editFormat: "auto",
        extensions: false,
      },
    },
    systemPrompt: "bench",
    prompt: "bench",
    idleTimeoutMs: 60_000,
    timeoutMs: 300_000,
    maxReplyBytes: 32 * 1024 * 1024,
    signal: new AbortController().signal,
  });
  if (!result.ok) throw new Error(JSON.stringify(result));
  return {
    peakMb: Math.round(process.resourceUsage().maxRSS / 1024),
    seconds: Number(((performance.now() - startedAt) / 1000).toFixed(1)),
  };
}

if (process.argv[1] === here && process.argv[2] !== undefined)
  console.log(JSON.stringify(await measure(process.argv[2])));
