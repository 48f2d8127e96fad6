import type { Failure, FailureKind } from "../../contracts/index.ts";
import type { ProviderErrorRow } from "./row.ts";
import { readProviderError, type ProviderError, type ProviderReport } from "./read.ts";
import { providerErrorTable } from "./table.ts";

/** A limit that says it lasts longer than this is a spent window, whatever it calls itself. */
const shortLimitMs = 10 * 60_000;

/** The zone in which programs on this machine print clock times. */
function machineZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * What an error of a provider means for the run. `given` is the error as the adapter got it, its
 * text alone or with the structured facts beside it, never a reply; `who` is `provider/model` for
 * the message, `now` in milliseconds since the epoch. An error that no row of the table
 * recognises is `provider_unknown`, with its text kept.
 */
export function classifyProviderError(
  given: string | ProviderReport,
  who: string,
  now: number,
  zone = machineZone(),
): Failure {
  const error = readProviderError(given, { at: now, zone });
  const kind = findProviderErrorRow(error, who)?.kind ?? "provider_unknown";
  return providerFailure(kind, error, who, now);
}

/** The first row of the table that holds for an error. */
export function findProviderErrorRow(
  error: ProviderError,
  who: string,
): ProviderErrorRow | undefined {
  return providerErrorTable.find(
    ({ status, code, text, provider }) =>
      (status === undefined || status.some((one) => statusIs(error.status, one))) &&
      (code === undefined || error.codes.some((one) => code.test(one))) &&
      (text === undefined || text.test(error.message)) &&
      (provider === undefined || provider.test(who)),
  );
}

function statusIs(status: number | undefined, wanted: number | "5xx" | "none"): boolean {
  if (wanted === "none") return status === undefined;
  return wanted === "5xx" ? status !== undefined && status >= 500 : status === wanted;
}

const meanings: Readonly<Partial<Record<FailureKind, string>>> = {
  usage_limit: "has used up its limit",
  rate_limit: "asks to slow down",
  overloaded: "is overloaded",
  network: "lost the connection",
  timeout: "did not answer in time",
  auth: "is not signed in or not allowed",
  model_not_found: "is unknown to the provider",
  context_overflow: "cannot hold a prompt this long",
  refused: "refused by policy",
  provider_unknown: "failed in a way kit does not know",
};

function providerFailure(
  kind: FailureKind,
  error: ProviderError,
  who: string,
  now: number,
): Failure {
  const spent = kind === "rate_limit" && (error.waitMs ?? 0) > shortLimitMs;
  const actual = spent ? "usage_limit" : kind;
  const said = {
    message: `${who} ${meanings[actual] ?? actual}: ${firstLine(error)}`,
    detail: error.text,
  };
  if (actual === "usage_limit")
    return {
      kind: actual,
      ...said,
      ...(error.waitMs === undefined
        ? {}
        : { resetAt: new Date(now + error.waitMs).toISOString() }),
    };
  if (actual === "rate_limit")
    return {
      kind: actual,
      ...said,
      ...(error.waitMs === undefined ? {} : { retryAfterMs: error.waitMs }),
    };
  return { kind: actual, ...said } as Failure;
}

function firstLine({ status, message }: ProviderError): string {
  const line = message.split(/\r?\n/, 1)[0]?.trim() ?? "";
  const short = line.length > 200 ? `${line.slice(0, 199)}…` : line;
  return status === undefined ? short : `${short} (HTTP ${status})`;
}
