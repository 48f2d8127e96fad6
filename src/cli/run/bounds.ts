import { type Agent, KitError, type Route } from "../../contracts/index.ts";
import type { Ladder } from "../../pipeline/index.ts";
import { resolveRoute } from "../../routing/index.ts";
import type { Project } from "../project.ts";

const unpriced = "no price: nothing could hold it to --budget-usd";

/** Without those whose calls nobody could add up. */
export function pricedOnly(route: Route): Route {
  const without = route.candidates.filter(({ binding }) => binding.price === undefined);
  return {
    ...route,
    candidates: route.candidates.filter(({ binding }) => binding.price !== undefined),
    skipped: [...route.skipped, ...without.map(({ backend }) => ({ backend, reason: unpriced }))],
  };
}

/** @throws KitError `usage` where a budget in dollars leaves nobody to ask */
export function requirePrices(routes: readonly Route[]): void {
  for (const { capability, candidates, skipped } of routes) {
    const left = skipped.filter(({ reason }) => reason === unpriced);
    if (candidates.length > 0 || left.length === 0) continue;
    const names = left.map(({ backend }) => backend).join(", ");
    throw new KitError(
      "usage",
      `--budget-usd cannot hold this run: nobody with a price serves "${capability}" (${names}).`,
      { next: "Give their prices in models.local.yaml, or bound the run with --budget-tokens" },
    );
  }
}

/** The rungs above the capability that is asked for; a rung that serves nothing is passed over. */
export function ladderOf<S extends "scout" | "coder">(
  { registry }: Project,
  step: S,
  agent: Agent,
  { capability }: Route,
  inBudget: (route: Route) => Route,
): { readonly [key in S]?: Ladder } {
  const rungs = registry.ladders.get(agent.ladder ?? "")?.value ?? [];
  const above = [...new Set(rungs.slice(rungs.indexOf(capability) + 1))];
  const routes = above
    .filter((rung) => rung !== capability && registry.capabilities.has(rung))
    .map((rung) => inBudget(resolveRoute(registry, rung)));
  if (agent.ladder === undefined || routes.length === 0) return {};
  const ladder: Ladder = { name: agent.ladder, routes };
  return { [step]: ladder } as { readonly [key in S]?: Ladder };
}
