import { KitError } from "../../../contracts/index.ts";
import { StoreError } from "../../../lib/store.ts";
import { userStateFolder } from "../../../lib/user-folders.ts";
import { discardBrokenLedger, forgetLimits } from "../../../routing/index.ts";
import { defineCommand } from "../../command.ts";
import { counted } from "../../views/format.ts";
import { printable } from "../../views/printable.ts";

export const command = defineCommand({
  define(command) {
    command.argument("[pool]", "the account; all limits of all of them when absent");
  },
  examples: [
    ["kit quota clear anthropic", "the account was topped up: it may be called again"],
    ["kit quota clear", "forgets every limit; what was spent stays known"],
  ],
  async run(_options, { io, args: [pool] }) {
    const folder = userStateFolder(io.env);
    const name = pool === undefined ? undefined : String(pool);
    try {
      const discarded = await discardBrokenLedger(folder);
      const forgotten = await forgetLimits(folder, name);
      const what = name === undefined ? "" : ` of ${printable(name)}`;
      const text = discarded
        ? "The damaged ledger was removed."
        : `Forgotten${what}: ${counted(forgotten, "limit")}`;
      return {
        exitCode: 0,
        document: { pool: name ?? null, forgotten, discarded },
        text: `${text}\n`,
      };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      throw new KitError("environment", `The quota ledger cannot be changed: ${error.message}.`, {
        cause: error,
        next: error.fault === "newer" ? "Use the newer kit" : "Mend what it says, and try again",
      });
    }
  },
});
