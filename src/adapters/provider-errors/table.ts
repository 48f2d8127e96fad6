import { accessErrors } from "./access.ts";
import { connectionErrors } from "./connection.ts";
import { exceptionNames } from "./exceptions.ts";
import { modelErrors } from "./models.ts";
import { overflowErrors } from "./overflow.ts";
import { paceErrors } from "./pace.ts";
import { refusals } from "./refusals.ts";
import type { ProviderErrorRow } from "./row.ts";
import { spentErrors } from "./spent.ts";
import { transportErrors } from "./transport.ts";
import { hiddenWords, plainWords } from "./vocabulary.ts";

/**
 * Order: what may hide behind another's status first (a prompt too long, a refusal, an unknown
 * model, an empty account), then the bare status, then errors without
 * one, then the names that SDKs give and the words that all providers use. Blind spots: a limit of
 * a subscription that a provider words like a short one is `rate_limit` until it names its reset;
 * errors relayed inside a stream lose status and code.
 */
export const providerErrorTable: readonly ProviderErrorRow[] = [
  ...overflowErrors,
  ...refusals,
  ...modelErrors,
  ...spentErrors,
  ...hiddenWords,
  ...paceErrors,
  ...accessErrors,
  ...connectionErrors,
  ...transportErrors,
  ...exceptionNames,
  ...plainWords,
];
