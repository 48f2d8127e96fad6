import { userStateFolder } from "../../lib/user-folders.ts";
import { timeText } from "../../lib/time-text.ts";
import {
  ledgerFile,
  type LedgerReport,
  type LimitReport,
  type PoolReport,
  type SpendReport,
} from "../../routing/index.ts";
import { defineCommand } from "../command.ts";
import { knownLimits } from "../quota.ts";
import { alignColumns, counted, formatCost } from "../views/format.ts";
import { printable } from "../views/printable.ts";

export const command = defineCommand({
  define() {
    // It has no options of its own.
  },
  examples: [
    ["kit quota", "which accounts are spent until when, and what the last seven days cost"],
    ["kit quota clear anthropic", "forgets the limit of one account: it was topped up"],
  ],
  async run(_options, { io }) {
    const report = await knownLimits(io);
    return {
      exitCode: 0,
      document: documentOf(report, ledgerFile(userStateFolder(io.env))),
      text: `${lines(report).map(printable).join("\n")}\n`,
    };
  },
});

function documentOf({ limits, pools, spend }: LedgerReport, file: string): Record<string, unknown> {
  return {
    file,
    limits: limits.map(({ since, until, ...limit }) => {
      return { ...limit, since: isoTime(since), until: isoTime(until) };
    }),
    pools: pools.map(({ since, limitedAt, resetsAt, ...pool }) => ({
      ...pool,
      ...(since !== undefined && { since: isoTime(since) }),
      ...(limitedAt !== undefined && { limitedAt: isoTime(limitedAt) }),
      ...(resetsAt !== undefined && { resetsAt: isoTime(resetsAt) }),
    })),
    spend,
  };
}

function lines({ limits, pools, spend }: LedgerReport): string[] {
  return [
    ...section(
      "limits",
      limits.length === 0 ? ["  none known"] : alignColumns(limits.map(limitRow), "  "),
    ),
    ...section("accounts", alignColumns(pools.map(poolRow), "  ")),
    ...section("spent, by day (UTC)", alignColumns(spend.map(spendRow), "  ")),
    ...(limits.length === 0 ? [] : ["", "forget them: kit quota clear"]),
  ];
}

function section(title: string, rows: readonly string[]): string[] {
  return rows.length === 0 ? [] : [title, ...rows];
}

function limitRow({ scope, name, failure, until, told }: LimitReport): string[] {
  const how = told ? "the provider says so" : "guessed";
  return [scope, name, failure, `until ${timeText(until)}`, `(${how})`];
}

function poolRow({ pool, inFlight, since, calls, tokens, limitedCalls }: PoolReport): string[] {
  const window = since === undefined ? "" : `since ${timeText(since)}`;
  const now = inFlight === 0 ? "" : `${counted(inFlight, "call")} under way`;
  const last =
    limitedCalls === undefined ? "" : `last limit after ${counted(limitedCalls, "call")}`;
  return [pool, counted(calls, "call"), counted(tokens, "token"), window, now, last];
}

function spendRow(row: SpendReport): string[] {
  const { day, pool, provider, model, calls, input, output } = row;
  const isKnown = row.tokensUnknown < calls;
  const usage = isKnown ? `${input} → ${output} tokens` : "tokens unknown";
  const more =
    isKnown && row.tokensUnknown > 0 ? `+ ${counted(row.tokensUnknown, "call")} unknown` : "";
  const usd = row.usdUnknown === calls ? undefined : row.usd;
  const cost = formatCost(usd, row.usdUnknown);
  return [
    day,
    pool,
    `${provider}/${model}`,
    counted(calls, "call"),
    `${usage} ${more}`.trim(),
    cost,
  ];
}

function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
