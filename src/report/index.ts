/**
 * Report answers: how is a run, or all of them, shown to somebody who was not there? It makes one
 * HTML document that needs nothing beside itself, from plain data; every text in it is escaped.
 * It leaves to others: reading records (runs), statistics (routing), and where it is written (cli).
 */
export { generatorMark } from "./page.ts";
export {
  type ModelOverTime,
  type Overview,
  renderOverview,
  type RunInOverview,
} from "./overview.ts";
export { objectsOf, type RunToReport } from "./reported-run.ts";
export { renderRunReport } from "./run-report.ts";
