import * as z from "zod/mini";
import {
  type Failure,
  failureKinds,
  outcomeKinds,
  testMoves,
  verdictKinds,
} from "../contracts/index.ts";

/** A list that nobody changes any more. */
export const list = <T extends z.core.$ZodType>(item: T): z.ZodMiniReadonly<z.ZodMiniArray<T>> =>
  z.readonly(z.array(item));

// The parts that events and receipts share.

export const candidateShape = z.object({
  backend: z.string(),
  adapter: z.string(),
  provider: z.string(),
  model: z.string(),
  thinking: z.exactOptional(z.string()),
});

export const editFormatShape = z.enum(["whole", "edit", "auto"]);

const tokenCount = z.exactOptional(z.number());

export const usageShape = z.object({
  input: tokenCount,
  output: tokenCount,
  cacheRead: tokenCount,
  cacheWrite: tokenCount,
  total: tokenCount,
});

/** What all failures have is checked; the facts of single kinds are kept as they come. */
export const failureShape = z.looseObject({
  kind: z.enum(failureKinds),
  message: z.string(),
  detail: z.exactOptional(z.string()),
}) as z.ZodMiniType as z.ZodMiniType<Failure>;

export const commandShape = z.object({
  command: z.string(),
  ended: z.string(),
  durationMs: z.number(),
  reportedBy: z.exactOptional(z.string()),
  reportFault: z.exactOptional(z.string()),
});

export const treeHashShape = z.object({ head: z.string(), hash: z.string() });

export const tallyShape = z.object({
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  moves: z.partialRecord(z.enum(testMoves), z.number()),
  named: list(z.object({ id: z.string(), move: z.enum(testMoves) })),
});

export const groundShape = z.object({
  versions: z.object({
    kit: z.string(),
    node: z.string(),
    platform: z.string(),
    adapters: z.exactOptional(z.record(z.string(), z.string())),
  }),
  sources: list(
    z.object({
      kind: z.string(),
      layer: z.string(),
      file: z.string(),
      hash: z.exactOptional(z.string()),
    }),
  ),
  routes: list(
    z.object({
      capability: z.string(),
      candidates: list(candidateShape),
      skipped: list(z.object({ backend: z.string(), reason: z.string() })),
    }),
  ),
  tree: z.exactOptional(treeHashShape),
});

export const testCommandShape = z.object({
  command: z.string(),
  source: z.string(),
  runs: z.boolean(),
});

export const changeShape = z.object({
  kind: z.enum(["create", "write", "edit", "delete", "rename"]),
  path: z.string(),
  to: z.exactOptional(z.string()),
  strategy: z.exactOptional(z.string()),
  added: z.number(),
  removed: z.number(),
});

export const runErrorShape = z.object({
  kind: z.string(),
  message: z.string(),
  next: z.exactOptional(z.string()),
});

export const outcomeShape = z.enum(outcomeKinds);
export const verdictShape = z.enum(verdictKinds);
export const basisShape = z.enum(["tests", "exit_code"]);
export const evidenceShape = z.enum(["fixed", "new tests", "none"]);
export const exitCodeShape = z.literal([0, 1, 2, 3, 4, 5, 130]);
export const modelStepShape = z.enum(["scout", "coder", "review"]);
