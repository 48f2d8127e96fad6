import type { BudgetProfile } from "../contracts/index.ts";

/** Most estimated tokens a profile allows; the figure itself is allowed. Source: CONTEXT-PACK. */
export const profileTokens: Readonly<Record<BudgetProfile, number>> = {
  simple: 500,
  complex: 1_500,
  handoff: 2_000,
  coder: 6_000,
};
