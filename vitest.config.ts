import { defineConfig } from "vitest/config";

const shared = {
  testTimeout: 30_000,
  hookTimeout: 30_000,
  globalSetup: ["tests/support/private-home.ts"],
};

// Where CI wants the counts of a suite.
const resultsFile = process.env["KIT_TEST_RESULTS"];

export default defineConfig({
  test: {
    // Vitest leaves a core free; most of these tests wait for children and disks.
    maxWorkers: "100%",
    ...(resultsFile !== undefined && {
      reporters: ["default", "json"],
      outputFile: { json: resultsFile },
    }),
    projects: [
      {
        test: {
          ...shared,
          name: "fast",
          include: ["tests/**/*.test.ts"],
          exclude: ["tests/**/*.slow.test.ts"],
        },
      },
      {
        test: {
          ...shared,
          name: "slow",
          include: ["tests/**/*.slow.test.ts"],
          testTimeout: 300_000,
        },
      },
    ],
  },
});
