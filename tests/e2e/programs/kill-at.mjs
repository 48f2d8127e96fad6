// Loaded with --import into the built kit: the process kills itself (SIGKILL) before its n-th effect
// on disk or process table (KILL_AT=n), after half of it where it is a write. Without KILL_AT it
// leaves the number of effects in the file KILL_COUNT names.
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import sqlite from "node:sqlite";

const killAt = Number(process.env.KILL_AT ?? 0);
const countFile = process.env.KILL_COUNT;
let effects = 0;

const die = () => {
  process.kill(process.pid, "SIGKILL");
  // The signal is on its way; nothing more may happen.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};

const isDue = () => {
  effects += 1;
  return effects === killAt;
};

/** Replaces functions of an object; `half` does a part of the effect before the end. */
const watch = (owner, names, half = () => undefined) => {
  for (const name of names) {
    const real = owner[name];
    owner[name] = function watched(...args) {
      if (isDue()) {
        half(real, this, args);
        die();
      }
      return real.apply(this, args);
    };
  }
};

const isFile = (fd) => fd > 2;
const halfOf = (data) => (data?.length > 1 ? data.subarray?.(0, data.length >> 1) : undefined);

watch(fs, ["renameSync", "linkSync", "unlinkSync", "mkdirSync", "rmdirSync", "fsync"]);
watch(fs, ["writeFileSync"], (real, self, [file, data]) => {
  const part = typeof file === "number" && isFile(file) ? halfOf(data) : undefined;
  if (part !== undefined) real.call(self, file, part);
});
watch(fs.promises, ["rename", "unlink", "symlink", "mkdir", "rm", "appendFile"]);
const handle = await fs.promises.open(import.meta.filename, "r");
const fileHandle = Object.getPrototypeOf(handle);
await handle.close();
watch(fileHandle, ["sync", "datasync", "truncate", "writeFile"]);
// A line of the log, torn in the middle.
watch(fileHandle, ["write"], (_real, self, [data, from, , position]) => {
  const part = halfOf(data.subarray(from ?? 0));
  if (part !== undefined) fs.writeSync(self.fd, part, 0, part.length, position);
});
watch(childProcess, ["spawn"]);
watch(sqlite.DatabaseSync.prototype, ["exec", "close"]);
syncBuiltinESMExports();

process.on("exit", () => {
  if (countFile !== undefined && killAt === 0) fs.appendFileSync(countFile, `${effects}\n`);
});
