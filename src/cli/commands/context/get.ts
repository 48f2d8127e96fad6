import { InvalidArgumentError, Option } from "commander";
import { KitError } from "../../../contracts/index.ts";
import { type ItemKind, itemKinds, recallFor } from "../../../memory/index.ts";
import { defineCommand } from "../../command.ts";
import { memoryOf } from "../../memory.ts";
import { addRepoOption } from "../../options.ts";
import { factLines, factsDocument, packetLines } from "../../views/context-packet.ts";

interface GetFlags {
  readonly repo?: string;
  readonly task?: string;
  readonly role: string;
  readonly budget?: number;
  readonly kinds?: readonly ItemKind[];
}

export const command = defineCommand<GetFlags>({
  define(command) {
    addRepoOption(command.argument("[task]", "what is to be done, in words"))
      .option("--task <text>", "the same as an option")
      .addOption(
        new Option(
          "--role <name>",
          "who asks: repro, planner, implementer, critic, verifier, or any other",
        ).default("implementer"),
      )
      .option("--budget <tokens>", "512 to 200,000 (default: the role's)", budgetOf)
      .option(
        "--kinds <list>",
        `in place of the role's, in this order: ${itemKinds.join(",")}`,
        kindsOf,
      );
  },
  examples: [
    ['kit context get "Saving an empty project crashes"', "what earlier runs give to a coder"],
    ["kit context get --role repro --json", "to a scout that looks into a bug, with the audit"],
  ],
  async run({ repo, task, role, budget, kinds }, { io, args: [positional] }) {
    if (task !== undefined && positional !== undefined) {
      throw new KitError("usage", "The task is given more than once.", {
        next: "Give it as TASK or with --task",
      });
    }
    const { memory, facts, unreadable } = await memoryOf(repo, io);
    const { arbitration } = recallFor(memory, {
      role,
      task: task ?? (positional === undefined ? "" : String(positional)),
      ...(budget !== undefined && { budgetTokens: budget }),
      ...(kinds !== undefined && { includeKinds: kinds }),
    });
    if (!arbitration.ok) {
      throw new KitError(
        "configuration",
        `The journal is unsound: ${arbitration.refusal.message}.`,
        {
          next: "Delete .kit/runs/journal.jsonl: kit only forgets",
        },
      );
    }
    const { packet, audit } = arbitration;
    const lines = [...packetLines(packet, audit), ...factLines(facts, unreadable)];
    return {
      exitCode: 0,
      document: { packet, audit, ...factsDocument(facts), unreadable },
      text: `${lines.join("\n")}\n`,
    };
  },
});

/** @throws what commander tells as a usage error */
function budgetOf(text: string): number {
  const tokens = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (tokens < 512 || tokens > 200_000)
    throw new InvalidArgumentError("a whole number from 512 to 200000 is needed");
  return tokens;
}

/** @throws what commander tells as a usage error */
function kindsOf(text: string): readonly ItemKind[] {
  return text.split(",").map((word) => {
    const kind = itemKinds.find((each) => each === word.trim());
    if (kind === undefined) throw new InvalidArgumentError(`give some of ${itemKinds.join(",")}`);
    return kind;
  });
}
