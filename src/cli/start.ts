import { processIo } from "./io.ts";
import { main } from "./main.ts";
import { kitVersion } from "./package.ts";
import { muteSqliteWarning } from "./warnings.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** After a first signal kit undoes its writes; whoever asks again after this long gets an end at once. */
const patienceMs = 5000;

/** Runs kit in this process: the launcher in `bin/` calls it. */
export async function start(): Promise<void> {
  muteSqliteWarning();
  const controller = new AbortController();
  let firstAt: number | undefined;
  for (const name of signals) {
    process.on(name, () => {
      firstAt ??= Date.now();
      // The journal on disk lets the next kit command put right what this one leaves.
      if (Date.now() - firstAt > patienceMs) process.exit(130);
      controller.abort(new Error(`Interrupted by ${name}`));
    });
  }
  const { signal } = controller;
  process.exitCode = await main(process.argv.slice(2), processIo(signal), signal, kitVersion());
}
