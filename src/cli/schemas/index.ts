import * as z from "zod/mini";
import { receiptSchema } from "../../runs/index.ts";
import { batch } from "./batch.ts";
import { simulate, stats, suggestion } from "./learning.ts";
import { contextExplain, contextGet, contextRecall } from "./context.ts";
import { packCheck, packRender, packScout, packShrink } from "./packs.ts";
import { piApply, piCheck, piProposal } from "./pi.ts";
import { replay } from "./replay.ts";
import { trust, trustList, trustRevoke } from "./trust.ts";
import { classified, configSource, origin, problem, route, schemaVersion } from "./parts.ts";
import { run, runs, runsGc, dryRun, report } from "./runs.ts";
import { models, init, doctor } from "./setup.ts";
import { apply, undo } from "./changes.ts";
import { quota, quotaClear } from "./quota.ts";
import { test } from "./test.ts";
import { agents } from "./agents.ts";

const text = z.string();
const texts = z.array(text);
const problems = z.array(problem);
const sources = z.array(configSource);

const error = z.strictObject({
  schemaVersion,
  error: z.strictObject({
    kind: z.enum([
      "usage",
      "configuration",
      "environment",
      "conflict",
      "not_found",
      "no_model",
      "interrupted",
      "bug",
    ]),
    message: text,
    next: z.nullable(text),
    problems,
  }),
});

const routeDocument = z.strictObject({
  schemaVersion,
  routes: z.array(route),
  /** With --task: the rule that decided; null where none did. */
  classified: z.exactOptional(z.nullable(classified)),
  /** With --suggest, in the order of `routes`. */
  suggested: z.exactOptional(z.array(z.extend(suggestion, { capability: text }))),
  ladders: z.array(z.strictObject({ name: text, capabilities: texts, source: origin })),
  sources,
  problems,
});

/** The document of each command's `--json`, by the name of its file in `docs/schemas`. */
export const documentSchemas = {
  error,
  route: routeDocument,
  agents,
  models,
  init,
  doctor,
  runs,
  "runs-gc": runsGc,
  batch,
  show: receiptSchema,
  report,
  run,
  resume: receiptSchema,
  stats,
  simulate,
  demo: receiptSchema,
  "run-dry-run": dryRun,
  apply,
  undo,
  replay,
  quota,
  "quota-clear": quotaClear,
  "pi-proposal": piProposal,
  "pi-apply": piApply,
  "pi-check": piCheck,
  "pack-check": packCheck,
  "pack-render": packRender,
  "pack-scout": packScout,
  "pack-shrink": packShrink,
  test,
  trust,
  "trust-list": trustList,
  "trust-revoke": trustRevoke,
  "context-get": contextGet,
  "context-explain": contextExplain,
  "context-recall": contextRecall,
} satisfies Record<string, z.ZodMiniType>;
