import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openEventStream } from "../../src/telemetry/index.ts";
import { temporaryFolder } from "../support/repository.ts";

const event = {
  v: 1,
  seq: 1,
  at: "2026-11-30T19:14:30.000Z",
  type: "note",
  level: "info",
  message: "hello",
} as const;

test.skipIf(!existsSync("/dev/full"))(
  "events that a full disk took are told of when the stream closes",
  async () => {
    const fd = openSync("/dev/full", "w");
    const stream = openEventStream(fd);

    stream.write(event);

    expect(await stream.close()).toMatchObject({ code: "ENOSPC" });
    closeSync(fd);
  },
);

test("a stream that could write every event closes without a fault", async () => {
  const fd = openSync(join(temporaryFolder(), "events"), "w");
  const stream = openEventStream(fd);

  stream.write(event);

  expect(await stream.close()).toBeUndefined();
  closeSync(fd);
});
