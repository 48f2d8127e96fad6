import type { Route } from "../../contracts/index.ts";
import { suggestOrder, type SuggestedOrder } from "../../routing/index.ts";
import { recordedRuns } from "../learning.ts";
import type { Project } from "../project.ts";

/** The routes of a run's steps. */
export interface StepRoutes {
  readonly scout: Route;
  readonly coder: Route;
}

/** What `routing.order: suggested` made of them. */
export interface SuggestedRoutes {
  readonly routes: StepRoutes;
  readonly orders: { readonly scout: SuggestedOrder; readonly coder: SuggestedOrder };
}

/** Puts the candidates in the order that the repository's own runs make the cheapest. */
export async function suggestRoutes(
  { runsFolder }: Pick<Project, "runsFolder">,
  { scout, coder }: StepRoutes,
): Promise<SuggestedRoutes> {
  const { attempts } = await recordedRuns(runsFolder);
  const orders = {
    scout: suggestOrder(scout, attempts, "scout"),
    coder: suggestOrder(coder, attempts, "coder"),
  };
  return {
    routes: {
      scout: { ...scout, candidates: orders.scout.candidates },
      coder: { ...coder, candidates: orders.coder.candidates },
    },
    orders,
  };
}
