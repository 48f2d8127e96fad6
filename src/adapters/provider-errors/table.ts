import { accessErrors } from "./access.ts";
import { connectionErrors } from "./connection.ts";
import { limitErrors } from "./limits.ts";
import { overflowErrors } from "./overflow.ts";
import type { ProviderErrorRow } from "./row.ts";

/**
 * Order: what is unmistakable by code, then texts within the family of their status, then the
 * bare status, then errors without one. Blind spots: a limit of a subscription that a provider
 * words like a short one is `rate_limit`; errors relayed inside a stream lose status and code.
 */
export const providerErrorTable: readonly ProviderErrorRow[] = [
  ...overflowErrors,
  ...limitErrors,
  ...accessErrors,
  ...connectionErrors,
];
