import { defineConfig } from "vitest/config";

const shared = {
  testTimeout: 30_000,
  hookTimeout: 30_000,
  globalSetup: ["tests/support/private-home.ts"],
};

export default defineConfig({
  test: {
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
