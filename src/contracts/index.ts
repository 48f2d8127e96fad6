/**
 * The shared types of kit: what rooms say to each other. It answers no question itself and
 * leaves every decision to the rooms; only `repo-path.ts` and `problem.ts` hold code, the
 * constructor of a branded path and the one error class.
 */
export * from "./adapter.ts";
export * from "./agent.ts";
export * from "./change-set.ts";
export * from "./context-pack.ts";
export * from "./event.ts";
export * from "./failure.ts";
export * from "./outcome.ts";
export * from "./problem.ts";
export * from "./quota.ts";
export * from "./repo-path.ts";
export * from "./routing.ts";
export * from "./settings.ts";
export * from "./survey.ts";
export * from "./test-command.ts";
export * from "./verdict.ts";
export * from "./workspace.ts";
