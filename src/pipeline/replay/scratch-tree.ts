import { mkdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openTransactions } from "../../changes/index.ts";
import { type Event, type Failure, parseRepoPath, type Workspace } from "../../contracts/index.ts";
import type { SeenFile } from "../seen-files.ts";
import type { Recorded } from "./recorded.ts";

/** The replay needs an answer that the record does not hold: from here on it can only guess. */
export class RecordEnds extends Error {}

export interface Places {
  /** Absolute, empty: the tree that changes are planned and applied in. */
  readonly root: string;
  /** Absolute, outside of it. */
  readonly stateDir: string;
}

/** Puts what the run saw at a path into the scratch tree. */
export async function placeFile(root: string, file: SeenFile): Promise<void> {
  const parsed = parseRepoPath(file.path);
  if (!parsed.ok) return;
  const path = join(root, parsed.path);
  await rm(path, { recursive: true, force: true });
  if (file.kind === "missing" || file.kind === "secret") return;
  await mkdir(dirname(path), { recursive: true });
  // Nothing in a record may lead out of the scratch tree.
  if (file.kind === "link") await symlink("a-link-of-the-recorded-tree", path);
  else if (file.kind === "large") {
    await writeFile(path, "", { mode: file.mode });
    await truncate(path, file.bytes);
  } else {
    const bytes = Buffer.from(file.content, file.kind === "text" ? "utf8" : "base64");
    await writeFile(path, bytes, { mode: file.mode });
  }
}

/** A workspace on the scratch tree: changes are really made there, tests and git are not asked. */
export function scratchWorkspace(
  recorded: Recorded,
  { root, stateDir }: Places,
  told: readonly Event[],
): Workspace {
  const ids = recorded.events.flatMap((event) =>
    event.type === "applied" ? [event.transaction] : [],
  );
  let made = 0;
  const newId = (): string => ids.shift() ?? `${(made += 1)}`.padStart(16, "0");
  const transactions = openTransactions({ root, stateDir, newId });
  return {
    root,
    fingerprint: () => Promise.resolve({ head: "", status: new Map(), files: new Map() }),
    apply(plan) {
      const refused = refusedApply(recorded, told);
      return refused === undefined
        ? transactions.apply(plan)
        : Promise.resolve({ ok: false, failure: refused });
    },
    accept: (applied) => transactions.accept(applied),
    async rollback(applied) {
      const report = await transactions.rollback(applied);
      const nth = told.filter(({ type }) => type === "rolled_back").length;
      const then = recorded.events.filter((event) => event.type === "rolled_back")[nth];
      if (then === undefined || then.kept.length === 0) return report;
      // What the user did to a file meanwhile is no decision of kit.
      const paths = (list: readonly string[]) =>
        list.flatMap((path) => {
          const parsed = parseRepoPath(path);
          return parsed.ok ? [parsed.path] : [];
        });
      return {
        restored: paths(then.restored),
        kept: paths(then.kept).map((path) => ({ path, reason: "as recorded" })),
      };
    },
    run: () => Promise.reject(new RecordEnds("no test command runs in a replay")),
    close: () => Promise.resolve(),
  };
}

/** The recorded attempt never got its change into the tree. */
function refusedApply({ events }: Recorded, told: readonly Event[]): Failure | undefined {
  const planned = told.findLast((event) => event.type === "plan_ready");
  if (planned?.type !== "plan_ready") return undefined;
  const { attempt } = planned;
  const isApplied = events.some((event) => event.type === "applied" && event.attempt === attempt);
  const end = events.find(
    (event) =>
      event.type === "attempt_finished" && event.step === "coder" && event.attempt === attempt,
  );
  if (isApplied || end?.type !== "attempt_finished") return undefined;
  const kind = end.failure?.kind;
  return kind === "conflict" || kind === "environment" ? end.failure : undefined;
}
