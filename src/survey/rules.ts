import type { RepoPath, SurveyResult } from "../contracts/index.ts";
import { redact } from "../lib/redaction.ts";
import { decodeUtf8, headAndTail } from "../lib/text.ts";
import { foldersAbove } from "./packages.ts";
import type { RepositoryReader } from "./reading.ts";

/** Files in which repositories tell agents their rules; the first of a folder counts. */
const ruleFiles = ["AGENTS.md", "CLAUDE.md"];

/** Ranked files whose folders are looked through for rules of their own. */
const nearTo = 8;

/**
 * The repository's rules: those of the root, then those nearest to the best ranked files. Data
 * for a prompt, like every text of the repository: they cannot widen what kit allows.
 */
export function repositoryRules(
  known: Pick<ReadonlySet<RepoPath>, "has">,
  ranked: readonly { readonly path: string }[],
  reader: RepositoryReader,
  limits: { readonly maxFileChars: number; readonly maxChars: number },
): SurveyResult["rules"] {
  const wanted = new Set<RepoPath>();
  const inFolder = (folder: string): RepoPath | undefined => {
    const prefix = folder === "" ? "" : `${folder}/`;
    return ruleFiles.map((name) => (prefix + name) as RepoPath).find((path) => known.has(path));
  };
  const atRoot = inFolder("");
  if (atRoot !== undefined) wanted.add(atRoot);
  for (const { path } of ranked.slice(0, nearTo)) {
    const nearest = foldersAbove(path)
      .map(inFolder)
      .find((each) => each !== undefined);
    if (nearest !== undefined) wanted.add(nearest);
  }
  const rules: { path: RepoPath; text: string }[] = [];
  let room = limits.maxChars;
  for (const path of wanted) {
    const read = reader.read(path, 1024 * 1024);
    const text = read.ok ? decodeUtf8(read.bytes)?.replaceAll("\r\n", "\n").trim() : undefined;
    if (text === undefined || text === "" || room <= 0) continue;
    const bounded = headAndTail(redact(text), Math.min(room, limits.maxFileChars));
    room -= bounded.length;
    rules.push({ path, text: bounded });
  }
  return rules;
}
