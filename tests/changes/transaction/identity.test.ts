import fc from "fast-check";
import { chmodSync, lstatSync, mkdtempSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTransactions } from "../../../src/changes/index.ts";
import { sha256 } from "../../../src/lib/text.ts";
import { repoPath, type FileOperation } from "../../../src/contracts/index.ts";
import { snapshot, writeFiles } from "../../support/repository.ts";
import { propertyRuns } from "../support/property-runs.ts";

/** One file of a tree and what a plan does to it. */
interface Fate {
  readonly folder: string;
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly act: "leave" | "write" | "delete" | "rename" | "create";
  readonly to: string;
  readonly after: Uint8Array;
}

const folder = fc.constantFrom("", "a/", "a/b/", "c/d/e/", "ü b/");
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.constantFrom("", "\ufeffx\r\n", "a\rb\n\tc", "no end").map((text) => Buffer.from(text)),
);
const fate: fc.Arbitrary<Fate> = fc.record({
  folder,
  bytes,
  mode: fc.constantFrom(0o644, 0o755, 0o600, 0o640, 0o664, 0o4711),
  act: fc.constantFrom("leave", "write", "delete", "rename", "create"),
  to: fc.constantFrom("", "a/", "new/", "new/er/", "c/"),
  after: bytes,
});

function operation(
  path: string,
  to: string,
  { bytes: old, mode, act, after }: Fate,
): FileOperation[] {
  const before = { hash: sha256(old), mode };
  const at = repoPath(path);
  if (act === "create") return [{ kind: "create", path: at, after, mode: 0o644 }];
  if (act === "write") return [{ kind: "write", path: at, before, after }];
  if (act === "delete") return [{ kind: "delete", path: at, before }];
  return act === "rename" ? [{ kind: "rename", path: at, to: repoPath(to), before, after }] : [];
}

/** Every entry with its modification time, but for folders and what the plan touches. */
function timesOf(root: string, except: ReadonlySet<string>): Map<string, bigint> {
  const paths = [...snapshot(root)].filter(
    ([path, entry]) => !entry.startsWith("folder") && !except.has(path),
  );
  return new Map(
    paths.map(([path]) => [path, lstatSync(join(root, path), { bigint: true }).mtimeNs]),
  );
}

test("a plan applied and undone is the identity on the whole tree, modes and times included", async () => {
  const property = fc.asyncProperty(fc.array(fate, { maxLength: 12 }), async (fates) => {
    const outer = mkdtempSync(join(tmpdir(), "kit-test-"));
    try {
      const root = join(outer, "tree");
      const named = fates.map((each, index) => ({
        each,
        path: `${each.folder}f${index}`,
        to: `${each.to}moved${index}`,
      }));
      writeFiles(root, { keep: "k" });
      symlinkSync("keep", join(root, "link"));
      for (const { each, path } of named) {
        if (each.act === "create") continue;
        writeFiles(root, { [path]: each.bytes });
        chmodSync(join(root, path), each.mode);
        utimesSync(join(root, path), 1_500_000_000, 1_500_000_000);
      }
      const operations = named.flatMap(({ each, path, to }) => operation(path, to, each));
      const touched = new Set<string>(operations.map(({ path }) => path));
      const [before, times] = [snapshot(root), timesOf(root, touched)];
      const transactions = openTransactions({ root, stateDir: join(outer, "state") });

      const result = await transactions.apply({ operations, hash: "any" });
      expect(result).toMatchObject({ ok: true });
      if (!result.ok) return;
      const changed = snapshot(root);
      for (const { each, path, to } of named) {
        const stands = changed.get(each.act === "rename" ? to : path)?.split(" ")[2];
        const wanted = { leave: each.bytes, delete: undefined }[each.act as "leave"] ?? each.after;
        if (each.act === "delete") expect(stands).toBeUndefined();
        else expect(stands).toBe(Buffer.from(wanted).toString("base64"));
      }
      const report = await transactions.rollback(result.applied);

      expect(report.kept).toEqual([]);
      expect(snapshot(root)).toEqual(before);
      expect(timesOf(root, touched)).toEqual(times);
    } finally {
      rmSync(outer, { recursive: true, force: true });
    }
  });
  await fc.assert(property, { numRuns: propertyRuns(1 / 60) });
});
