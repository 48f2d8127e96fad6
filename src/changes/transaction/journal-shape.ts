import * as z from "zod/mini";
import { parseRepoPath, type RepoPath } from "../../contracts/index.ts";
import { isKitOrGitPath } from "../paths.ts";
import type { Journal } from "./journal.ts";

/** Loaded only where a record is read: most commands find nothing to recover. */
const repoPathShape = z.custom<RepoPath>(isTreePath);
const count = z.int().check(z.nonnegative());

const journalShape = z.strictObject({
  version: z.literal(1),
  id: z.string(),
  steps: z.array(
    z.strictObject({
      path: repoPathShape,
      before: z.nullable(
        z.strictObject({
          hash: z.string(),
          mode: count,
          uid: count,
          gid: count,
          offset: count,
          size: count,
        }),
      ),
      after: z.nullable(z.string()),
    }),
  ),
  folders: z.array(repoPathShape),
});

/** A record that comes with a downloaded folder (`.kit`, where there is no git) gains nothing by it. */
function isTreePath(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const parsed = parseRepoPath(value);
  return parsed.ok && !isKitOrGitPath(parsed.path);
}

/** The journal in a record's bytes, or undefined where they are none. */
export function parseJournal(bytes: Buffer): Journal | undefined {
  try {
    return journalShape.parse(JSON.parse(bytes.toString("utf8")));
  } catch {
    return undefined;
  }
}
