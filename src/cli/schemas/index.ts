import * as z from "zod/mini";
import { failureKinds } from "../../contracts/index.ts";
import { receiptFields, receiptSchema } from "../../runs/index.ts";
import { batch, raceEntry } from "./batch.ts";
import { simulate, stats, suggestion } from "./learning.ts";
import { contextExplain, contextGet, contextRecall } from "./context.ts";
import { packCheck, packRender, packScout, packShrink } from "./packs.ts";
import { piApply, piCheck, piProposal } from "./pi.ts";
import { replay } from "./replay.ts";
import { standing, trust, trustList, trustRevoke } from "./trust.ts";
import { classified, configSource, origin, price, problem, route, schemaVersion } from "./parts.ts";

const text = z.string();
const texts = z.array(text);
const optionalText = z.exactOptional(text);
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

const run = z.object({
  ...receiptFields,
  /** With --race: everybody who took part, in the order of the route; `totals` are of all. */
  race: z.exactOptional(z.array(raceEntry)),
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

const agents = z.strictObject({
  schemaVersion,
  agents: z.array(
    z.strictObject({
      name: text,
      description: text,
      capability: optionalText,
      ladder: optionalText,
      available: z.boolean(),
      execution: z.enum(["oneshot", "subagent", "pipeline"]),
      access: z.strictObject({
        filesystem: text,
        shell: text,
        git: text,
        network: z.boolean(),
      }),
      tools: texts,
      layer: text,
      file: text,
      sound: z.boolean(),
    }),
  ),
  sources,
  problems,
});

const listedModel = z.strictObject({
  provider: text,
  model: text,
  contextWindow: z.exactOptional(z.number()),
  reasoning: z.exactOptional(z.boolean()),
  vision: z.exactOptional(z.boolean()),
  baseUrl: optionalText,
  price: z.exactOptional(price),
});

const models = z.strictObject({
  schemaVersion,
  backends: z.array(
    z.strictObject({
      backend: text,
      description: optionalText,
      state: z.enum(["bound", "placeholder", "unbound", "disabled"]),
      binding: z.exactOptional(
        z.strictObject({
          adapter: text,
          provider: text,
          model: text,
          thinking: optionalText,
          contextWindow: z.exactOptional(z.number()),
          price: z.exactOptional(price),
          quotaPool: text,
          editFormat: text,
          wholeFileLines: z.exactOptional(z.number()),
          vision: z.exactOptional(z.boolean()),
          extensions: z.boolean(),
          baseUrl: optionalText,
          apiKeyEnv: optionalText,
          insecureHttp: z.exactOptional(z.boolean()),
          command: z.exactOptional(texts),
          passEnvironment: z.exactOptional(texts),
          note: optionalText,
        }),
      ),
      source: z.exactOptional(origin),
      capabilities: texts,
      /** What its adapter says of it; absent with --offline. */
      standing: z.exactOptional(
        z.strictObject({
          state: z.enum(["known", "dead", "broken", "not_checked"]),
          said: text,
          mend: optionalText,
          model: z.exactOptional(listedModel),
        }),
      ),
      cooling: z.exactOptional(
        z.strictObject({ pool: text, failure: text, until: text, told: z.boolean() }),
      ),
    }),
  ),
  /** With --all. */
  models: z.exactOptional(z.array(listedModel)),
  sources,
  problems,
});

const runs = z.strictObject({
  schemaVersion,
  runs: z.array(
    z.union([
      z.strictObject({
        runId: text,
        runDir: text,
        running: z.boolean(),
        startedAt: z.nullable(text),
        task: text,
        outcome: text,
        exitCode: z.number(),
        escalated: z.boolean(),
        attempts: z.number(),
        changedFiles: texts,
        durationMs: z.number(),
        costUsd: z.exactOptional(z.number()),
        costUnknown: z.number(),
      }),
      z.strictObject({ runId: text, runDir: text, unreadable: text }),
    ]),
  ),
});

const foundModel = z.extend(listedModel, { adapter: text, isLocal: z.boolean() });

const removal = z.strictObject({ id: text, reason: text });

const runsGc = z.strictObject({
  schemaVersion,
  dryRun: z.boolean(),
  removed: z.array(removal),
  /** Beyond the limits, and not removed. */
  kept: z.array(removal),
  transactions: texts,
  leftovers: texts,
});

const init = z.strictObject({
  schemaVersion,
  file: text,
  written: z.boolean(),
  /** What the file held before. */
  backup: optionalText,
  /** The file as it is, or would be. */
  yaml: text,
  found: z.array(
    z.strictObject({ name: text, said: text, models: z.number(), next: optionalText }),
  ),
  backends: z.array(
    z.strictObject({ backend: text, adapter: text, provider: text, model: text, because: text }),
  ),
  /** Backends that are bound already. */
  kept: texts,
  models: z.array(foundModel),
});

const doctor = z.strictObject({
  schemaVersion,
  root: text,
  /** Nothing that was checked speaks against a run. */
  ready: z.boolean(),
  fixed: texts,
  checks: z.array(
    z.strictObject({
      group: z.enum(["machine", "models", "agents", "repository"]),
      name: text,
      state: z.enum(["ok", "warning", "problem", "not_checked"]),
      said: text,
      mend: optionalText,
      /** How `kit run` would end because of it. */
      exitCode: z.exactOptional(z.number()),
    }),
  ),
});

const change = z.strictObject({
  kind: z.enum(["create", "write", "edit", "delete", "rename"]),
  path: text,
  to: optionalText,
  strategy: optionalText,
  added: z.number(),
  removed: z.number(),
});

const apply = z.strictObject({
  schemaVersion,
  ok: z.boolean(),
  changes: z.array(change),
  refused: z.array(z.strictObject({ path: text, reason: text })),
  failure: z.exactOptional(z.looseObject({ kind: z.enum(failureKinds), message: text })),
});

const undo = z.strictObject({
  schemaVersion,
  runId: text,
  restored: texts,
  kept: z.array(z.strictObject({ path: text, preImage: optionalText, reason: text })),
  /** With --merge: `yours` is the file as it was until now. */
  merged: z.exactOptional(
    z.array(z.strictObject({ path: text, conflicts: z.number(), yours: text })),
  ),
});

const dryRun = z.strictObject({
  schemaVersion,
  routes: z.strictObject({ scout: route, coder: route, review: z.exactOptional(route) }),
  classified: z.exactOptional(classified),
  /** With `routing.order: suggested`. */
  suggested: z.exactOptional(z.strictObject({ scout: suggestion, coder: suggestion })),
  sources,
  settings: z.record(
    text,
    z.strictObject({
      value: z.unknown(),
      layer: text,
      file: optionalText,
      line: z.exactOptional(z.number()),
    }),
  ),
  testCommands: z.array(
    z.strictObject({ command: text, folder: text, source: text, runs: z.boolean() }),
  ),
  sandbox: text,
  prompts: z.strictObject({
    scout: z.exactOptional(
      z.strictObject({ tokens: z.number(), costUsd: z.exactOptional(z.number()) }),
    ),
  }),
  /** The repository's own configuration; it takes part where it is trusted. */
  projectLayer: z.strictObject(standing),
  warnings: texts,
  notChecked: texts,
  problems,
});

const test = z.strictObject({
  schemaVersion,
  root: text,
  testCommands: z.array(
    z.strictObject({ command: text, folder: text, source: text, runs: z.boolean() }),
  ),
  projectLayer: z.strictObject(standing),
  /** Null in a dry run. */
  verdict: z.nullable(z.enum(["green", "red", "vacuous", "environment"])),
  summary: z.nullable(text),
  next: optionalText,
  results: z.array(
    z.strictObject({
      command: text,
      ended: text,
      durationMs: z.number(),
      /** Absent where nobody says. */
      counts: z.exactOptional(
        z.strictObject({ ran: z.number(), failed: z.number(), skipped: z.number() }),
      ),
      tests: z.exactOptional(
        z.array(
          z.strictObject({
            id: text,
            status: z.enum(["passed", "failed", "skipped"]),
            file: optionalText,
            message: optionalText,
          }),
        ),
      ),
      reportedBy: optionalText,
      reportFault: optionalText,
      leftBehind: texts,
      /** Null where it ran with the user's rights. */
      sandbox: z.nullable(z.strictObject({ network: z.boolean() })),
    }),
  ),
  /** Names of environment variables that the tests did not get. */
  withheld: texts,
  /** The failing part, where it is not green. */
  digest: optionalText,
  warnings: texts,
  problems,
});

const quota = z.strictObject({
  schemaVersion,
  file: text,
  limits: z.array(
    z.strictObject({
      scope: z.enum(["pool", "provider", "candidate"]),
      name: text,
      failure: text,
      since: text,
      until: text,
      /** The provider said until when; else it is a guess. */
      told: z.boolean(),
    }),
  ),
  pools: z.array(
    z.strictObject({
      pool: text,
      inFlight: z.number(),
      since: optionalText,
      calls: z.number(),
      tokens: z.number(),
      limitedAt: optionalText,
      resetsAt: optionalText,
      limitedCalls: z.exactOptional(z.number()),
    }),
  ),
  spend: z.array(
    z.strictObject({
      day: text,
      pool: text,
      provider: text,
      model: text,
      calls: z.number(),
      input: z.number(),
      output: z.number(),
      /** Calls whose tokens, or dollars, nobody told: the sums are lower bounds. */
      tokensUnknown: z.number(),
      usd: z.number(),
      usdUnknown: z.number(),
    }),
  ),
});

const quotaClear = z.strictObject({
  schemaVersion,
  pool: z.nullable(text),
  forgotten: z.number(),
  discarded: z.boolean(),
});

const report = z.strictObject({ schemaVersion, path: text, bytes: z.number() });

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
