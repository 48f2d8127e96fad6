import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startModelServer } from "../../../fixtures/model-server/index.ts";
import { conformance, testConformance } from "../conformance.ts";
import { failures } from "../support.ts";
import { createLabAdapter } from "./lab-adapter.ts";

/** What one JSON answer can show. */
const shown = [
  "ok-1mb",
  "unauthorized",
  "rate-limit-hours",
  "server-error",
  "truncated",
  "empty",
  "drop-before",
];

testConformance(
  conformance.filter(({ model }) => shown.includes(model)).map((row) => ({ ...row, and: {} })),
  async () => {
    const server = await startModelServer(failures);
    onTestFinished(() => server.close());
    return { adapter: createLabAdapter(`${server.url}/fake/v1`), server };
  },
);

test("the page shows this adapter as it is, in about 60 lines", () => {
  const source = readFileSync(join(import.meta.dirname, "lab-adapter.ts"), "utf8");
  const asPublished = source.replace("../../../src/index.ts", "capkit");

  expect(readFileSync(resolve("docs/adapters.md"), "utf8")).toContain(
    `\`\`\`ts\n${asPublished}\`\`\``,
  );
  expect(source.split("\n").length).toBeLessThanOrEqual(66);
});
