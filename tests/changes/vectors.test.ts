import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryTree, parseReply, planChanges } from "../../src/changes/index.ts";
import { parseRepoPath, type RepoPath } from "../../src/contracts/index.ts";
import { treeAfter } from "./support/tree-after.ts";
import { writeScope } from "./support/scope.ts";

interface Vector {
  readonly id: string;
  readonly area: string;
  readonly why: string;
  readonly input: {
    readonly allow: readonly string[];
    readonly create: readonly string[];
    readonly tree: Readonly<Record<string, string>>;
    readonly reply: string;
  };
  readonly expect: {
    readonly ok: boolean;
    readonly failure?: string;
    readonly failureOneOf?: readonly string[];
    readonly tree: Readonly<Record<string, string>>;
  };
}

const folder = process.env["KIT_VECTORS_DIR"];
const vectors = folder === undefined ? [] : readVectors(folder);

function readVectors(folder: string): readonly Vector[] {
  const lines = readFileSync(join(folder, "vectors.jsonl"), "utf8").trim().split("\n");
  const all = lines.map((line) => JSON.parse(line) as Vector);
  return all.filter((vector) => vector.area === "file-blocks");
}

describe.skipIf(folder === undefined)("the file-blocks vectors (KIT_VECTORS_DIR)", () => {
  it.each(vectors.map((vector) => [`${vector.id}: ${vector.why}`, vector] as const))(
    "%s",
    async (_, { input, expect: wanted }) => {
      const listed = input.allow.flatMap((text) => {
        const parsed = parseRepoPath(text);
        return parsed.ok ? [parsed.path] : [];
      });
      const newPaths = new Set(listed.filter((path) => input.create.includes(path)));
      const parsed = parseReply(input.reply, {
        paths: new Map(listed.map((path) => [path, newPaths.has(path) ? "new" : "existing"])),
        root: "/repository",
        isTracked: (path: RepoPath) => path in input.tree,
        mayCreate: () => false,
      });
      const planned = parsed.ok
        ? await planChanges(parsed.changeSet, memoryTree(input.tree), writeScope({ newPaths }))
        : parsed;

      const outcome = planned.ok ? "ok" : planned.failure.kind;
      expect(wanted.failureOneOf ?? [wanted.failure ?? "ok"]).toContain(outcome);
      const after = planned.ok ? treeAfter(input.tree, planned.plan) : input.tree;
      expect(after).toEqual(wanted.tree);
    },
  );
});
