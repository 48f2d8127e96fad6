import type { ItemKind } from "./item.ts";

/** What a journal entry tells. */
export type JournalCategory =
  | "plan"
  | "decision"
  | "error"
  | "lesson"
  | "observation"
  | "contradiction"
  | "hypothesis"
  | "experiment"
  | "state-change"
  | "skill-candidate";

/** What a role receives. */
export interface Role {
  /** Wanted kinds, the most wanted first. */
  readonly kinds: readonly ItemKind[];
  readonly categories: readonly JournalCategory[];
  /** Estimated tokens of a packet (rule 6), unless the request says otherwise. */
  readonly budgetTokens: number;
}

/** Source: ARBITER, table of roles. kit's scout is `repro` or `planner`, its coder `implementer`. */
const roles: Readonly<Record<string, Role>> = {
  repro: {
    kinds: ["episode", "knowledge"],
    categories: ["error", "lesson", "observation", "contradiction"],
    budgetTokens: 8_000,
  },
  planner: {
    kinds: ["state", "knowledge", "evidence"],
    categories: ["plan", "decision", "contradiction", "observation", "hypothesis", "experiment"],
    budgetTokens: 16_000,
  },
  implementer: {
    kinds: ["knowledge", "state", "skill", "episode"],
    categories: ["plan", "decision", "lesson", "state-change"],
    budgetTokens: 16_000,
  },
  critic: {
    kinds: ["knowledge", "evidence", "episode"],
    categories: ["contradiction", "error", "lesson", "experiment"],
    budgetTokens: 12_000,
  },
  verifier: {
    kinds: ["evidence", "knowledge", "episode"],
    categories: ["plan", "error", "lesson", "contradiction"],
    budgetTokens: 8_000,
  },
};

const anyOther: Role = {
  kinds: ["knowledge", "evidence"],
  categories: ["lesson", "observation"],
  budgetTokens: 32_000,
};

export function roleOf(name: string): Role {
  return Object.hasOwn(roles, name) ? (roles[name] ?? anyOther) : anyOther;
}
