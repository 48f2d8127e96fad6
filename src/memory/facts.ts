import type { FileContent, Problem } from "../contracts/index.ts";
import type { Git } from "../lib/git.ts";
import { decodeUtf8 } from "../lib/text.ts";
import { parseYaml } from "../lib/yaml.ts";
import { confidenceRanks, faultsOf, type Confidence } from "./item.ts";
import { memoryItem, type MemoryRecord } from "./memory-item.ts";

/** A fact of `.kit/memory`, and whether it takes part. */
export interface FactRead {
  /** Relative to the repository: `.kit/memory/ports.md`. */
  readonly file: string;
  readonly record: MemoryRecord;
  readonly used: boolean;
  /** Why it is used or not, as it follows "because". */
  readonly because: string;
}

export interface FactsRead {
  readonly facts: readonly FactRead[];
  readonly problems: readonly Problem[];
}

const folder = ".kit/memory";
const keys = ["id", "scope", "authority", "confidence", "lifecycle", "source"];
const notTrusted = "the repository's .kit is not trusted: kit trust";
const trusted = "it is committed, and you trust the repository's .kit";

/** The project layer as it was read once. */
export interface FactsRequest {
  /** By path below `.kit`. */
  readonly files: ReadonlyMap<string, FileContent>;
  /** The user trusts those very files. */
  readonly trusted?: boolean;
}

/**
 * Reads and checks the facts of a repository. Only those of a trusted layer that git holds as they
 * stand may speak as instructions; each says why it does or does not.
 */
export async function readFacts(
  { files, trusted: isTrusted }: FactsRequest,
  git: Git | undefined,
): Promise<FactsRead> {
  const paths = [...files.keys()].filter((path) => /^memory\/[^/]+\.md$/.test(path)).toSorted();
  if (paths.length === 0) return { facts: [], problems: [] };
  const uncommitted = await uncommittedOf(git);
  const facts: FactRead[] = [];
  const problems: Problem[] = [];
  for (const path of paths) {
    const file = `.kit/${path}`;
    const content = files.get(path);
    if (content === undefined) continue;
    if (content.kind === "unreadable") {
      problems.push({ severity: "error", place: { file, line: 1 }, message: content.reason });
      continue;
    }
    const read = readFact(file, content.bytes);
    problems.push(...read.problems);
    if (read.record === undefined) continue;
    const isCommitted = uncommitted !== "unknown" && !uncommitted.has(file);
    const used = isCommitted && isTrusted === true;
    const because = used ? trusted : isCommitted ? notTrusted : "it is not committed as it stands";
    facts.push({ file, record: read.record, used, because });
  }
  return { facts, problems };
}

/** Facts that git does not hold as they stand; `unknown` without git. */
async function uncommittedOf(git: Git | undefined): Promise<ReadonlySet<string> | "unknown"> {
  if (git === undefined) return "unknown";
  const args = ["status", "--porcelain", "-z", "--ignored", "--untracked-files=all", "--", folder];
  const status = (await git.run(args)).toString("utf8");
  return new Set(status.split("\0").map((entry) => entry.slice(3)));
}

/** One fact: YAML between `---` lines, then what it says. */
export function readFact(
  file: string,
  bytes: Uint8Array,
): { readonly record?: MemoryRecord; readonly problems: readonly Problem[] } {
  const text = decodeUtf8(bytes);
  const error = (message: string, line = 1): Problem => ({
    severity: "error",
    place: { file, line },
    message,
  });
  if (text === undefined) return { problems: [error("is not UTF-8")] };
  const [, yaml = "", body = ""] =
    /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n([\s\S]*))?$/m.exec(text) ?? [];
  const isSplit = body !== "" || yaml !== "";
  // The YAML starts on the second line of the file.
  const read = parseYaml(`\n${yaml}`, file);
  const value = isRecord(read.value) ? read.value : {};
  const problems: Problem[] = [...read.problems];
  const placeOf = (key: string): number => read.placeOf([key])?.line ?? 1;
  for (const key of Object.keys(value)) {
    if (!keys.includes(key)) problems.push(error(`${key} is no key of a fact`, placeOf(key)));
  }
  const word = (key: string, fallback: string): string => {
    const given = value[key];
    if (given === undefined || given === null) return fallback;
    if (typeof given === "string") return given;
    problems.push(error(`${key} must be a text`, placeOf(key)));
    return fallback;
  };
  const confidence = word("confidence", "probable");
  if (!isConfidence(confidence)) {
    const allowed = Object.keys(confidenceRanks).join(", ");
    problems.push(error(`confidence must be one of ${allowed}`, placeOf("confidence")));
  }
  const record: MemoryRecord = {
    id: word("id", file.slice(file.lastIndexOf("/") + 1, -".md".length)),
    summary: (isSplit ? body : text).trim(),
    scope: word("scope", "project"),
    authority: word("authority", "instruction"),
    confidence: isConfidence(confidence) ? confidence : "probable",
    lifecycle: word("lifecycle", "active"),
    source: word("source", "git"),
  };
  const length = record.summary.length;
  if (length > 4_000) problems.push(error(`holds ${length} characters, 4,000 are allowed`));
  else problems.push(...faultsOf(memoryItem("project", record)).map((fault) => error(fault)));
  return problems.some(({ severity }) => severity === "error")
    ? { problems }
    : { record, problems };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isConfidence(text: string): text is Confidence {
  return Object.hasOwn(confidenceRanks, text);
}
