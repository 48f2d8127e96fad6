/**
 * Which model serves this capability now? Merges the layers of registry and bindings per key and
 * puts the candidates of a capability in order, with the reason for every backend left out.
 * Leaves to others: where layers are (config), calling models (adapters), what a failure moves (pipeline).
 */
export { classifyTask, type ClassifiedTask } from "./classify/decide.ts";
export { loadTaskRules, type LoadedTaskRules } from "./classify/load.ts";
export { priorStrength } from "./learning/belief.ts";
export { type RecordedAttempt, usualStep } from "./learning/attempts.ts";
export { type SimulatedOrder, type Simulation, simulateRoute } from "./learning/simulate.ts";
export { type StatsRow, statsOf } from "./learning/stats.ts";
export { scoreOf, suggestOrder, type SuggestedOrder } from "./learning/suggest.ts";
export { loadRegistry, type RegistryRequest } from "./registry.ts";
export { parseModelFlag, type ModelFlag } from "./model-flag.ts";
export { candidateLabel, modelIdentity, resolveRoute } from "./route.ts";
export {
  coolingIn,
  discardBrokenLedger,
  forgetLimits,
  ledgerFile,
  type LedgerReport,
  type LimitReport,
  openLedger,
  openMemoryLedger,
  type OpenLedger,
  type PoolReport,
  readLedger,
  type SpendReport,
} from "./quota/index.ts";
