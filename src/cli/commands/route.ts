import { defineCommand } from "../command.ts";

export const command = defineCommand<object>({
  define(program) {
    void program;
  },
  examples: [],
  async run() {
    return { exitCode: 0, document: {}, text: "" };
  },
});
